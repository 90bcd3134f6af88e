//! Phrase-structure trees.

use eigentree::corpus::drawing::{SvgDocument, draw};
use eigentree::corpus::tree::{NodeRef, TreeBuilder};
use eigentree::data::Tree as Facade;
use pyo3::IntoPyObjectExt;
use pyo3::exceptions::PyIndexError;
use pyo3::prelude::*;
use pyo3::types::PyList;

use crate::exception::Exception;
use crate::sound::Sound;

/// Width of a drawing for a terminal.
const WIDTH: usize = 100;

/// A phrase-structure tree: a label and children, which are trees or words.
///
/// >>> from eigentree import Tree
/// >>> tree = Tree("(S (NP (DT the) (NN dog)) (VP (VBZ barks)))")
/// >>> tree.label, len(tree), tree[0].words
/// ('S', 2, ['the', 'dog'])
/// >>> tree[1][0][0]
/// 'barks'
#[pyclass(frozen, module = "eigentree")]
pub(crate) struct Tree {
    tree: Facade,
}

impl Tree {
    pub(crate) fn new(tree: Facade) -> Self {
        Self { tree }
    }

    /// The subtree at a node.
    fn below(node: NodeRef<'_>) -> Self {
        let mut builder = TreeBuilder::new();
        builder.copy(node);
        Self::new(builder.finish().expect("a subtree is one tree"))
    }
}

#[pymethods]
impl Tree {
    /// Reads a tree in Penn brackets.
    #[new]
    fn parse(py: Python<'_>, text: Sound<&str>) -> PyResult<Self> {
        text.0.parse().map(Self::new).map_err(|error| Exception::Data.with(py, error))
    }

    /// The label of the topmost node.
    #[getter]
    fn label(&self) -> &str {
        self.tree.root().label()
    }

    /// The words from left to right.
    #[getter]
    fn words(&self) -> Vec<&str> {
        self.tree.words().collect()
    }

    /// The tags from left to right.
    #[getter]
    fn tags(&self) -> Vec<&str> {
        self.tree.tags().collect()
    }

    /// The children: trees, or words as strings.
    #[getter]
    fn children<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyList>> {
        let child = |node: NodeRef<'_>| match node.is_word() {
            true => node.text().into_bound_py_any(py),
            false => Tree::below(node).into_bound_py_any(py),
        };
        PyList::new(py, self.tree.root().children().map(child).collect::<PyResult<Vec<_>>>()?)
    }

    /// All nodes but the words, from the top down and from left to right: label, first word, word after the last.
    fn spans(&self) -> Vec<(&str, usize, usize)> {
        let nodes = self.tree.nodes().filter(|node| !node.is_word());
        nodes.map(|node| (node.label(), node.span().start, node.span().end)).collect()
    }

    /// A drawing for a terminal.
    #[pyo3(signature = (width=WIDTH))]
    fn draw(&self, width: usize) -> String {
        draw(&self.tree, width)
    }

    /// A drawing as SVG.
    fn to_svg(&self) -> String {
        let mut document = SvgDocument::new();
        document.push(&self.tree);
        document.finish()
    }

    fn _repr_svg_(&self) -> String {
        self.to_svg()
    }

    fn __len__(&self) -> usize {
        self.tree.root().children().count()
    }

    fn __getitem__<'py>(&self, py: Python<'py>, index: isize) -> PyResult<Bound<'py, PyAny>> {
        let length = isize::try_from(self.__len__())?;
        let place = if index < 0 { index + length } else { index };
        let missing = || PyIndexError::new_err(format!("there is no child {index}; there are {length}"));
        let place = usize::try_from(place).map_err(|_| missing())?;
        let node = self.tree.root().children().nth(place).ok_or_else(missing)?;
        match node.is_word() {
            true => node.text().into_bound_py_any(py),
            false => Tree::below(node).into_bound_py_any(py),
        }
    }

    fn __iter__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        Ok(self.children(py)?.try_iter()?.into_any())
    }

    fn __eq__(&self, other: &Self) -> bool {
        self.tree == other.tree
    }

    fn __hash__(&self, py: Python<'_>) -> PyResult<isize> {
        self.__str__().into_pyobject(py)?.hash()
    }

    fn __str__(&self) -> String {
        self.tree.to_string()
    }

    fn __repr__(&self) -> String {
        format!("Tree({:?})", self.tree.to_string())
    }

    fn __copy__(slf: Py<Self>) -> Py<Self> {
        slf
    }

    fn __deepcopy__(slf: Py<Self>, _memo: &Bound<'_, PyAny>) -> Py<Self> {
        slf
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> (Bound<'py, pyo3::types::PyType>, (String,)) {
        (py.get_type::<Self>(), (self.__str__(),))
    }
}
