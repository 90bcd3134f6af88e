//! Does with a file what the surfaces do with it.

use eigentree::annotation::PhraseTrees;
use eigentree::config::ClusterConfig;
use eigentree::config::Confidences;
use eigentree::corpus::cooccurrence::CountedText;
use eigentree::counting::{part_from_bytes, part_to_bytes};
use eigentree::inspection::Request;
use eigentree::learn::Silent;
use eigentree::models::clusters::{COUNTS_FAMILY, EMBEDDING_FAMILY, load_counts, load_embedding};
use eigentree::models::persist::{Container, LoadError};
use eigentree::reranking::{read_lists, score_trees};
use eigentree::sequences::{predict, score_sequences};
use eigentree::training::ClustersJob;
use eigentree::{Error, Model};

use crate::samples;

const TEXT: &str = "The old man sees http://example.com/x?y=1 , 42 dogs !\nAnna doesn't sleep.\n\n猫 слово\u{301} \u{1f600} x\n";

/// What became of a file.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Verdict {
    /// It was loaded and used.
    Accepted,
    /// Loading it gave an error.
    Refused,
}

/// What a file holds.
enum Contents {
    Model(Box<Model>),
    Counts(Box<CountedText>),
    Vectors,
}

/// Loads a file: a model, counts, or word vectors.
pub fn load(bytes: Vec<u8>) -> Verdict {
    if contents(bytes).is_ok() { Verdict::Accepted } else { Verdict::Refused }
}

/// Loads a file and uses it.
pub fn file(bytes: Vec<u8>) -> Verdict {
    let _ = part_from_bytes(bytes.clone()).and_then(|part| part_to_bytes(&part));
    // Once loaded it counts as accepted: its use may fail, but must return.
    match contents(bytes) {
        Ok(Contents::Model(model)) => use_model(&model),
        Ok(Contents::Counts(counted)) => {
            let job = ClustersJob::new(ClusterConfig { clusters: 3, ..ClusterConfig::default() });
            let _ = job.learn(*counted, None, &mut Silent);
        }
        Ok(Contents::Vectors) => {}
        Err(_) => return Verdict::Refused,
    }
    Verdict::Accepted
}

fn contents(bytes: Vec<u8>) -> Result<Contents, Error> {
    let refused = |error: LoadError| Error::Data(error.to_string());
    let file = Container::from_bytes(bytes).map_err(refused)?;
    match file.metadata().family.as_str() {
        COUNTS_FAMILY => Ok(Contents::Counts(Box::new(load_counts(&file).map_err(refused)?))),
        EMBEDDING_FAMILY => load_embedding(&file).map(|_| Contents::Vectors).map_err(refused),
        _ => Ok(Contents::Model(Box::new(Model::load(&file, "the file")?))),
    }
}

fn use_model(model: &Model) {
    let _ = annotate(model);
    let _ = model.inspect(&Request::default()).map(|contents| contents.to_json().to_string());
    let _ = model
        .inspect(&Request::default().symbol("NP").word("the").prefix(2))
        .map(|contents| contents.to_json());
    if let Ok(sequences) = model.sequences() {
        let given = [vec![0, 1, 0], vec![], vec![2, 2, 7, u32::MAX]];
        let _ = score_sequences(sequences, &given, &mut Silent).map(|score| score.to_json());
        let _ = predict(sequences, &given, 5, &mut Silent);
    }
    if let Ok(clusters) = model.clusters() {
        let _ = eigentree::clustering::write_paths(clusters, std::io::sink());
        let _ = eigentree::clustering::score_text(clusters, TEXT.as_bytes(), "-", &mut Silent, |_, _| Ok(()));
    }
    if let Ok(trees) = model.latent_trees() {
        let _ = score_trees(trees, samples::sentences().into_iter().map(Ok), &mut Silent, |_| Ok(()));
    }
    if let Ok(reranker) = model.reranker() {
        let mut scratch = Default::default();
        for list in read_lists(samples::sentences().into_iter().map(Ok)).flatten() {
            let _ = reranker.choose(&list.list, &mut scratch);
        }
    }
    let _ = model.to_bytes(&model.metadata());
}

fn annotate(model: &Model) -> Result<(), Error> {
    let annotator = model.annotator()?;
    let document = annotator.annotate(TEXT)?;
    let _ = (
        document.to_conllu(),
        document.to_tsv(),
        document.to_spans(),
        document.to_svg(),
        document.to_drawing(80),
    );
    let _ = annotator.annotate_sentences(samples::sentences().into_iter().take(3).collect());
    let detailed = model
        .annotator()?
        .with_confidences(Confidences::Compute)
        .with_nbest(3)
        .with_phrases(PhraseTrees::Build)
        .annotate(TEXT)?;
    let _ = detailed.to_json().to_string();
    Ok(())
}
