//! A small file of every family, made once from a handful of sentences.

use std::collections::BTreeSet;
use std::sync::{Arc, LazyLock};

use eigentree::Model;
use eigentree::config::{
    ClusterConfig, LpcfgConfig, LpcfgRecipe, MstConfig, PcfgConfig, Quality, TaggerConfig,
};
use eigentree::corpus::cooccurrence::CountedText;
use eigentree::corpus::format::brown_paths::BrownPath;
use eigentree::corpus::format::conllu::Column;
use eigentree::data::{ConlluReader, Sentence, Tree};
use eigentree::learn::Silent;
use eigentree::models::clusters::{
    Embedding, counts_metadata, embedding_metadata, save_counts, save_embedding,
};
use eigentree::models::deptree::{DeptreeConfig, Observe, Shrinkage};
use eigentree::models::head_automata::{Alphabet, Memory};
use eigentree::models::mst::NetworkConfig;
use eigentree::models::persist::ContainerWriter;
use eigentree::models::representations::ClusterPaths;
use eigentree::models::sequence::RankChoice;
use eigentree::models::tagger::{self, Resources};
use eigentree::sampling::sample_english;
use eigentree::sequences::SequenceFile;
use eigentree::spectral::Rank;
use eigentree::tagging::column_data;
use eigentree::training::{
    ClustersJob, DeptreeJob, HeadAutomataMethod, HeadAutomataRecipe, Job, LatentLearner, LpcfgJob, MstJob,
    PcfgJob, PipelineData, PipelineJob, PipelineParser, RerankerJob, SequenceJob, TaggerJob,
};

use crate::TREEBANK;
use crate::forge::{Forgery, Script};

/// Feature tables of this many bits, so that files stay small.
const BITS: u32 = 10;

static FILES: LazyLock<Vec<(&'static str, Vec<u8>)>> = LazyLock::new(learn);

/// The files of all families, each with its name.
pub fn files() -> Vec<(&'static str, &'static Vec<u8>)> {
    FILES.iter().map(|(name, bytes)| (*name, bytes)).collect()
}

/// The same files, taken apart.
pub fn forgeries() -> &'static [Forgery] {
    static FORGERIES: LazyLock<Vec<Forgery>> = LazyLock::new(|| {
        let open = |(_, file): &(_, Vec<u8>)| Forgery::open(file).expect("the sample is a model file");
        FILES.iter().map(open).collect()
    });
    &FORGERIES
}

/// A changed file, behind right checksums: the first byte chooses the family, the others what is changed in its sample.
pub fn forged(data: &[u8]) -> Option<Vec<u8>> {
    let (&choice, changes) = data.split_first()?;
    let mut forgery = forgeries()[usize::from(choice) % forgeries().len()].clone();
    forgery.follow(Script::new(changes));
    Some(forgery.seal())
}

/// The sentences of the treebank.
pub fn sentences() -> Vec<Sentence> {
    let read: Result<Vec<Sentence>, _> = ConlluReader::new(TREEBANK.as_bytes(), "small.conllu").collect();
    read.expect("the treebank of the examples can be read")
}

fn learn() -> Vec<(&'static str, Vec<u8>)> {
    let sentences = sentences();
    let trees = sample_english(150, 1);
    let latent = LatentLearner::Spectral(DeptreeConfig {
        observe: Observe::Tags,
        dimension: 2,
        shrinkage: Shrinkage::Part(0.1),
        ..DeptreeConfig::default()
    });
    let small = |quality| {
        let config = MstConfig::quality(quality);
        let network = config.network.map(|network| NetworkConfig {
            embedded: 8,
            hidden: 8,
            bits: 6,
            epochs: 1,
            ..network
        });
        MstConfig { bits: BITS, epochs: 1, network, ..config }
    };
    vec![
        ("pcfg", file(PcfgJob::new(PcfgConfig::default()).run(&trees, None, &mut Silent))),
        ("lpcfg", file(LpcfgJob::new(LpcfgConfig::quality(Quality::Fast)).run(&trees, None, &mut Silent))),
        ("lpcfg with clusters", {
            let recipe = LpcfgRecipe { networks: Some(1), ..LpcfgRecipe::default() };
            let mut job = LpcfgJob::new(recipe.config());
            job.config.grammar.clusters = Some(Arc::new(paths(trees.iter().flat_map(Tree::words))));
            let spans = job.config.spans.as_mut().expect("the recipe has a span model");
            (spans.folds, spans.epochs, spans.max_bits) = (2, 1, 12);
            let network = &mut spans.network;
            (network.embedded, network.hidden, network.part) = (6, 4, 5);
            (network.bits, network.label_bits, network.epochs) = (6, 5, 1);
            file(job.run(&trees[..60], None, &mut Silent))
        }),
        ("clusters", clusters(&trees)),
        ("counts", counts(&trees)),
        ("embedding", embedding()),
        ("mst", file(mst(small(Quality::Balanced)).run(&sentences, None, &mut Silent))),
        ("deptree", file(DeptreeJob::new(latent.clone()).run(&sentences, None, &mut Silent))),
        ("reranker", {
            let mut job = RerankerJob::default();
            (job.latent, job.trees, job.parser.bits, job.folds) = (latent, 3, BITS, 2);
            file(job.run(&sentences, None, &mut Silent))
        }),
        ("tagger", {
            let columns = [Column::Upos, Column::Xpos, Column::Lemma];
            let data = column_data(&sentences, &columns, Resources::default());
            file(TaggerJob::new(small_tagger()).run(&data, None, &mut Silent))
        }),
        ("pipeline", {
            let mut job = PipelineJob::default();
            (job.folds, job.tagger) = (1, small_tagger());
            job.parser = PipelineParser::Always(small(Quality::Fast));
            let data = PipelineData { sentences: sentences.clone(), ..PipelineData::default() };
            file(job.run(&data, None, &mut Silent))
        }),
        ("head automata", {
            let method = HeadAutomataMethod::Spectral;
            let recipe = HeadAutomataRecipe { method, states: Some(2), ..HeadAutomataRecipe::default() };
            file(recipe.job().expect("the recipe has no contradictions").run(&sentences, None, &mut Silent))
        }),
        ("head automata of words", {
            let recipe = HeadAutomataRecipe {
                method: HeadAutomataMethod::Spectral,
                alphabet: Alphabet::Features,
                words: Some(Memory::FirstCoordinationPunctuation),
                states: Some(2),
                ..HeadAutomataRecipe::default()
            };
            let mut job = recipe.job().expect("the recipe has no contradictions");
            if let Some(lexical) = &mut job.config.lexical {
                let words = sentences.iter().flat_map(Sentence::words);
                lexical.clusters = Some(paths(words.map(|word| word.form())));
            }
            file(job.run(&sentences, None, &mut Silent))
        }),
        ("sequence", {
            let tokens = |text: &str| text.split(' ').map(str::to_owned).collect::<Vec<String>>();
            let texts = ["a b a b", "a b", "b a", "a c a b a b"].repeat(20);
            let mut job = SequenceJob::default();
            job.config.rank = RankChoice::Fixed(Rank::new(2).expect("two is positive"));
            file(job.run(&SequenceFile::Tokens(texts.into_iter().map(tokens).collect()), None, &mut Silent))
        }),
    ]
}

/// Paths of words, of whatever bits.
fn paths<'w>(words: impl Iterator<Item = &'w str>) -> ClusterPaths {
    let words: BTreeSet<&str> = words.collect();
    let path = |(number, word): (usize, &&str)| BrownPath {
        bits: format!("{:06b}", number % 64),
        word: (*word).to_owned(),
        count: number as u64 + 1,
    };
    ClusterPaths::new(words.iter().enumerate().map(path))
}

/// A tagger with a network of a few numbers: most bytes of a large one are embeddings, one like the other.
fn small_tagger() -> TaggerConfig {
    let network = tagger::NetworkConfig { embedded: 8, hidden: 8, bits: 6, epochs: 1, ..Default::default() };
    TaggerConfig { network: Some(network), ..TaggerConfig::default() }
}

fn mst(config: MstConfig) -> MstJob {
    let mut job = MstJob::default();
    job.config = config;
    job
}

fn clusters(trees: &[Tree]) -> Vec<u8> {
    let job = ClustersJob::new(ClusterConfig { clusters: 6, ..ClusterConfig::default() });
    file(job.learn(counted(&job, trees), None, &mut Silent).map(|found| found.trained))
}

fn counted(job: &ClustersJob, trees: &[Tree]) -> CountedText {
    let line = |tree: &Tree| tree.words().collect::<Vec<_>>().join(" ");
    let text = trees.iter().map(line).collect::<Vec<_>>().join("\n");
    job.count(text.as_bytes(), "the sample").expect("the sample can be counted")
}

fn counts(trees: &[Tree]) -> Vec<u8> {
    let counted = counted(&ClustersJob::new(ClusterConfig::default()), &trees[..40]);
    let mut writer = ContainerWriter::new(&counts_metadata(&counted));
    save_counts(&counted, &mut writer);
    written(writer)
}

fn embedding() -> Vec<u8> {
    let embedding = Embedding::from_rows(7, 5, |word, at| ((word * 5 + at) as f64).sin());
    let mut writer = ContainerWriter::new(&embedding_metadata(&embedding));
    save_embedding(&embedding, &mut writer);
    written(writer)
}

fn written(writer: ContainerWriter<'_>) -> Vec<u8> {
    let mut bytes = Vec::new();
    writer.write_to(&mut bytes).expect("memory can be written");
    bytes
}

fn file<M>(trained: Result<eigentree::training::Trained<M>, eigentree::Error>) -> Vec<u8>
where
    M: eigentree::models::persist::ModelFile,
    Model: From<M>,
{
    let trained = trained.expect("the samples can be learnt from");
    let metadata = trained.metadata.clone();
    trained.into_model().to_bytes(&metadata).expect("a learnt model can be saved")
}
