//! Annotated sentences as pictures: the tree of phrases if there is one, else dependency arcs.

use corpus::drawing::{ArcSentence, NodeLook, SvgDocument, draw, draw_arcs};

use super::document::Document;
use super::sentence::AnnotatedSentence;
use crate::conversion::visible;

impl AnnotatedSentence {
    /// The sentence with its dependency arcs, ready to be drawn.
    pub fn arcs(&self) -> ArcSentence {
        ArcSentence::of_sentence(self.sentence())
    }

    /// The sentence in box characters, for terminals of this width.
    pub fn to_drawing(&self, width: usize) -> String {
        match self.phrases() {
            Some(phrases) => visible(draw(phrases.tree(), width)),
            None => visible(draw_arcs(&self.arcs(), width)),
        }
    }

    /// The sentence as an SVG document, coloured by confidence if there are confidences.
    pub fn to_svg(&self) -> String {
        let mut svg = SvgDocument::new();
        self.draw_into(&mut svg);
        svg.finish()
    }

    fn draw_into(&self, svg: &mut SvgDocument) {
        let Some(phrases) = self.phrases() else { return svg.push_arcs(&self.arcs()) };
        // Confidences are those of all nodes but words.
        let mut confidences = phrases.confidences().iter();
        let mut look = |is_word: bool| match is_word {
            true => NodeLook::Plain,
            false => confidences.next().map_or(NodeLook::Plain, |&value| NodeLook::Confident(value as f32)),
        };
        let looks: Vec<NodeLook> = phrases.tree().nodes().map(|node| look(node.is_word())).collect();
        svg.push_with(phrases.tree(), &looks);
    }
}

impl Document {
    /// All sentences in box characters, separated by blank lines.
    pub fn to_drawing(&self, width: usize) -> String {
        let drawn: Vec<String> = self.sentences().iter().map(|sentence| sentence.to_drawing(width)).collect();
        drawn.join("\n")
    }

    /// All sentences in one SVG document, one below the other.
    ///
    /// ```
    /// use eigentree::annotation::Document;
    /// let conllu = "1\tit\t_\tPRON\t_\t_\t2\texpl\t_\tConfidence=0.4\n2\trains\t_\tVERB\t_\t_\t0\troot\t_\t_\n\n";
    /// let document = Document::from_conllu(conllu)?;
    /// assert!(document.to_svg().contains("expl 0.40"));
    /// assert!(document.to_drawing(80).contains("expl 0.40"));
    /// # Ok::<(), eigentree::Error>(())
    /// ```
    pub fn to_svg(&self) -> String {
        let mut svg = SvgDocument::new();
        self.sentences().iter().for_each(|sentence| sentence.draw_into(&mut svg));
        svg.finish()
    }
}
