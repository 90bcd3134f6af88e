//! Attachment scores on hand-worked cases, alignment of different tokens, and errors.

use corpus::format::conllu::{ConlluReader, Sentence};
use eigentree_eval::alignment::{AlignedScores, score_aligned};
use eigentree_eval::attachment::{
    AttachmentConfig, AttachmentCounts, AttachmentMetric, Subtypes, score_readers,
};
use eigentree_eval::counts::{Counts, Ratio};
use eigentree_eval::error::EvalError;

/// CoNLL-U from lines of `form upos head deprel [lemma [feats]]`; a line `3-4 form` is a multiword range, an empty line
/// ends a sentence.
fn conllu(text: &str) -> String {
    let mut out = String::new();
    let mut number = 0;
    for line in text.lines() {
        let fields: Vec<&str> = line.split(' ').filter(|field| !field.is_empty()).collect();
        match fields.as_slice() {
            [] => {
                out += if number > 0 { "\n" } else { "" };
                number = 0;
            }
            [id, form] => out += &format!("{id}\t{form}\t_\t_\t_\t_\t_\t_\t_\t_\n"),
            [form, upos, head, deprel, rest @ ..] => {
                number += 1;
                let lemma = rest.first().unwrap_or(&"_");
                let feats = rest.get(1).unwrap_or(&"_");
                out +=
                    &format!("{number}\t{form}\t{lemma}\t{upos}\t{upos}\t{feats}\t{head}\t{deprel}\t_\t_\n");
            }
            _ => panic!("not enough fields: {line}"),
        }
    }
    out + "\n"
}

fn total(gold: &str, predicted: &str, config: AttachmentConfig) -> AttachmentCounts {
    let (gold, predicted) = (conllu(gold), conllu(predicted));
    score_readers((gold.as_bytes(), "g"), (predicted.as_bytes(), "p"), &config).expect("the two fit").total()
}

fn counts(matched: u64, gold: u64, predicted: u64) -> Counts {
    Counts { matched, gold, predicted }
}

const GOLD: &str = "
    The    DET   2 det        the   Definite=Def|PronType=Art
    dog    NOUN  4 nsubj:pass dog   Number=Sing
    was    AUX   4 aux:pass   be    Tense=Past
    seen   VERB  0 root       see   VerbForm=Part
    today  NOUN  4 obl:tmod   today Number=Sing
    .      PUNCT 4 punct      .";

#[test]
fn the_gold_annotation_is_perfect() {
    let total = total(GOLD, GOLD, AttachmentConfig::default());
    for metric in
        [AttachmentMetric::Las, AttachmentMetric::Upos, AttachmentMetric::UFeats, AttachmentMetric::Lemmas]
    {
        assert_eq!(total.of(metric), counts(6, 6, 6), "{metric:?}");
    }
    // Content words: dog, seen, today.
    for metric in [AttachmentMetric::Clas, AttachmentMetric::Mlas, AttachmentMetric::Blex] {
        assert_eq!(total.of(metric), counts(3, 3, 3), "{metric:?}");
    }
    assert_eq!(total.las_no_punct, counts(5, 5, 5));
}

#[test]
fn subtypes_count_only_if_asked_for() {
    let predicted = GOLD.replace("nsubj:pass", "nsubj").replace("obl:tmod", "obl:other");
    let cut = total(GOLD, &predicted, AttachmentConfig::default());
    assert_eq!((cut.las, cut.clas), (counts(6, 6, 6), counts(3, 3, 3)));
    let kept = total(GOLD, &predicted, AttachmentConfig { subtypes: Subtypes::Keep });
    assert_eq!((kept.uas, kept.las, kept.clas), (counts(6, 6, 6), counts(4, 6, 6), counts(1, 3, 3)));
}

#[test]
fn each_side_has_its_own_content_words() {
    // `today` becomes a function word, `was` a content word; both heads stay right.
    let predicted = GOLD.replace("obl:tmod", "case").replace("aux:pass", "advmod");
    let total = total(GOLD, &predicted, AttachmentConfig::default());
    assert_eq!((total.uas, total.las), (counts(6, 6, 6), counts(4, 6, 6)));
    assert_eq!(total.clas, counts(2, 3, 3));
    let one_more = GOLD.replace("aux:pass", "advmod");
    assert_eq!(self::total(GOLD, &one_more, AttachmentConfig::default()).clas, counts(3, 3, 4));
}

#[test]
fn punctuation_goes_by_the_gold_annotation() {
    let predicted = GOLD.replace(".      PUNCT 4 punct", ".      NOUN  2 obj");
    let total = total(GOLD, &predicted, AttachmentConfig::default());
    assert_eq!((total.uas, total.las, total.upos), (counts(5, 6, 6), counts(5, 6, 6), counts(5, 6, 6)));
    assert_eq!((total.uas_no_punct, total.las_no_punct), (counts(5, 5, 5), counts(5, 5, 5)));
    // The UPOS alone suffices.
    let tagged = GOLD.replace("4 punct", "4 dep");
    assert_eq!(self::total(&tagged, GOLD, AttachmentConfig::default()).las_no_punct, counts(5, 5, 5));
}

#[test]
fn mlas_looks_at_function_words_and_features() {
    // A wrong feature of the determiner costs the noun, and only MLAS.
    let determiner = total(GOLD, &GOLD.replace("Definite=Def", "Definite=Ind"), AttachmentConfig::default());
    assert_eq!(
        (determiner.clas, determiner.mlas, determiner.blex),
        (counts(3, 3, 3), counts(2, 3, 3), counts(3, 3, 3))
    );
    // Its lemma affects only the lemma figure; the lemma of a content word affects BLEX.
    let lemma = total(GOLD, &GOLD.replace(" the ", " The "), AttachmentConfig::default());
    assert_eq!((lemma.lemmas, lemma.blex), (counts(5, 6, 6), counts(3, 3, 3)));
    let lemma = total(GOLD, &GOLD.replace(" see ", " saw "), AttachmentConfig::default());
    assert_eq!((lemma.lemmas, lemma.blex, lemma.mlas), (counts(5, 6, 6), counts(2, 3, 3), counts(3, 3, 3)));
    // A function word below another head costs both heads: `seen` loses `was`, and `dog` gains it.
    let moved = total(GOLD, &GOLD.replace("4 aux:pass", "2 aux:pass"), AttachmentConfig::default());
    assert_eq!((moved.clas, moved.mlas), (counts(3, 3, 3), counts(1, 3, 3)));
    // Language-specific features do not count, nor does the order of features.
    let foreign = GOLD.replace("Definite=Def|PronType=Art", "PronType=Art|Definite=Def|Strange=Yes");
    assert_eq!(total(GOLD, &foreign, AttachmentConfig::default()).ufeats, counts(6, 6, 6));
}

#[test]
fn unknown_gold_lemmas_match_everything() {
    let gold = GOLD.replace("see ", "_ ");
    assert_eq!(total(&gold, GOLD, AttachmentConfig::default()).lemmas, counts(6, 6, 6));
    assert_eq!(total(GOLD, &gold, AttachmentConfig::default()).lemmas, counts(5, 6, 6));
}

#[test]
fn missing_heads_are_wrong_in_a_prediction_and_an_error_in_gold() {
    let headless = GOLD.replace("2 det ", "_ det ");
    assert_eq!(total(GOLD, &headless, AttachmentConfig::default()).uas, counts(5, 6, 6));
    let (gold, predicted) = (conllu(&headless), conllu(GOLD));
    let error =
        score_readers((gold.as_bytes(), "g"), (predicted.as_bytes(), "p"), &AttachmentConfig::default());
    assert!(
        error
            .unwrap_err()
            .to_string()
            .contains("sentence 1: the gold annotation has no head for word 1 (`The`)")
    );
}

#[test]
fn ranges_and_empty_nodes_are_no_words() {
    let plain = conllu("do AUX 3 aux\nn't PART 3 advmod\ngo VERB 0 root\n");
    let rich = plain.replacen("1\tdo", "1-2\tdon't\t_\t_\t_\t_\t_\t_\t_\t_\n1\tdo", 1);
    let rich = rich.replacen("3\tgo", "2.1\tnow\t_\t_\t_\t_\t_\t_\t_\t_\n3\tgo", 1);
    let scores =
        score_readers((plain.as_bytes(), "g"), (rich.as_bytes(), "p"), &AttachmentConfig::default()).unwrap();
    assert_eq!(scores.total().las, counts(3, 3, 3));
}

#[test]
fn sentences_keep_their_counts() {
    let gold = conllu("a X 0 root\nb X 1 obj\n\nc X 0 root\n");
    let predicted = conllu("a X 2 obj\nb X 0 root\n\nc X 0 root\n");
    let scores =
        score_readers((gold.as_bytes(), "g"), (predicted.as_bytes(), "p"), &AttachmentConfig::default())
            .unwrap();
    assert_eq!(scores.ratios(AttachmentMetric::Las), [Ratio::of(0, 4), Ratio::of(2, 2)]);
    let words = conllu("a X 0 root\nb X 1 obj\n\nd X 0 root\n");
    let error = score_readers((gold.as_bytes(), "g"), (words.as_bytes(), "p"), &AttachmentConfig::default());
    assert!(error.unwrap_err().to_string().contains("sentence 2: word 1 is `c`"));
}

fn read(text: &str) -> Vec<Sentence> {
    ConlluReader::new(conllu(text).as_bytes(), "text").collect::<Result<_, _>>().expect("the text is CoNLL-U")
}

fn aligned(gold: &str, predicted: &str) -> Result<AlignedScores, EvalError> {
    score_aligned(&read(gold), &read(predicted), &AttachmentConfig::default())
}

#[test]
fn sentences_and_tokens_match_by_characters() {
    let gold = "a X 0 root\nb X 1 obj\nc X 1 obj\n\nd X 0 root\n";
    // `b` and `c` are one token, and `d` belongs to the same sentence.
    let predicted = "a X 0 root\nbc X 1 obj\nd X 1 obj\n";
    let scores = aligned(gold, predicted).unwrap();
    assert_eq!(scores.tokens, counts(2, 4, 3));
    assert_eq!(scores.sentences, counts(0, 2, 1));
    let total = scores.attachment.total();
    assert_eq!((total.words, total.upos, total.uas), (counts(2, 4, 3), counts(2, 4, 3), counts(1, 4, 3)));
    let by_sentence: Vec<Counts> = scores.attachment.sentences.iter().map(|counts| counts.uas).collect();
    assert_eq!(by_sentence, [counts(1, 3, 2), counts(0, 1, 1)]);
}

#[test]
fn words_of_multiword_tokens_are_aligned_by_form() {
    let gold = "1-3 vámonos\nVamos VERB 0 root\nnos PRON 1 obj\na ADP 1 case\nya ADV 1 advmod\n";
    // Another analysis of the same token: two words, of which the second has a counterpart.
    let predicted = "1-2 vámonos\nvam VERB 0 root\nNos PRON 1 obj\nya ADV 1 advmod\n";
    let total = aligned(gold, predicted).unwrap().attachment.total();
    assert_eq!(total.words, counts(2, 4, 3));
    // Both depend on a word without a counterpart, so neither head is correct.
    assert_eq!(total.uas, counts(0, 4, 3));
    // One side may have no multiword token at all.
    let plain = "vámonos VERB 0 root\nya ADV 1 advmod\n";
    let scores = aligned(gold, plain).unwrap();
    assert_eq!((scores.tokens, scores.attachment.total().words), (counts(2, 2, 2), counts(1, 4, 2)));
    let split = "vámo VERB 0 root\nnos PRON 1 obj\nya ADV 1 advmod\n";
    let scores = aligned(gold, split).unwrap();
    assert_eq!((scores.tokens, scores.attachment.total().words), (counts(1, 2, 3), counts(2, 4, 3)));
}

#[test]
fn alignment_of_equal_tokens_is_the_plain_score() {
    let predicted = GOLD.replace("2 det", "4 case").replace("obl:tmod", "advmod").replace("nsubj", "obj");
    let gold = format!("{GOLD}\n\n{GOLD}");
    let predicted = format!("{predicted}\n\n{GOLD}");
    let aligned = aligned(&gold, &predicted).unwrap();
    let (gold, predicted) = (conllu(&gold), conllu(&predicted));
    let plain =
        score_readers((gold.as_bytes(), "g"), (predicted.as_bytes(), "p"), &AttachmentConfig::default())
            .unwrap();
    assert_eq!(aligned.attachment, plain);
    assert_eq!(aligned.sentences, counts(2, 2, 2));
}

#[test]
fn white_space_is_no_text_and_other_text_is_refused() {
    let spaced = "a X 0 root\nb\u{a0}c X 1 obj\n";
    let scores = aligned("a X 0 root\nbc X 1 obj\n", spaced).unwrap();
    assert_eq!(scores.tokens, counts(2, 2, 2));
    let error = aligned("a X 0 root\nbc X 1 obj\n", "a X 0 root\nbd X 1 obj\n").unwrap_err().to_string();
    assert!(error.contains("from character 3 on, `c` in the gold annotation but `d`"), "{error}");
    // A multiword token that is all white space holds no characters to align.
    let blank = "a X 0 root\n2-3 \u{a0}\nb X 1 obj\nc X 1 obj\nd X 1 obj\n";
    let scores = aligned(blank, "a X 0 root\nd X 1 obj\n").unwrap();
    assert_eq!(scores.attachment.total().words.gold, 4);
}
