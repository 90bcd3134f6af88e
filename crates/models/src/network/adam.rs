//! Steps of adaptive size (D. Kingma and J. Ba, Adam, ICLR 2015).

use super::kernels::add;

const MEAN_DECAY: f32 = 0.9;
const SQUARE_DECAY: f32 = 0.98;
const LEAST: f32 = 1e-8;

/// Means and mean squares of gradients.
#[derive(Clone, Debug)]
pub struct Moments {
    mean: Vec<f32>,
    square: Vec<f32>,
}

/// The size of a step, corrected for moments that began at 0.
#[derive(Clone, Copy, Debug)]
pub struct Step {
    rate: f32,
    square: f32,
}

impl Step {
    /// The step with this number, from 1.
    pub fn new(rate: f32, number: u64) -> Self {
        let correction = |decay: f32| 1.0 - decay.powi(number.min(1 << 20) as i32);
        Self { rate: rate / correction(MEAN_DECAY), square: 1.0 / correction(SQUARE_DECAY) }
    }
}

impl Moments {
    /// For this many values.
    pub fn new(length: usize) -> Self {
        Self { mean: vec![0.0; length], square: vec![0.0; length] }
    }

    /// Changes the values from `first` on by their gradient, which is 0 afterwards.
    #[inline(always)]
    pub fn step(&mut self, step: Step, first: usize, values: &mut [f32], gradient: &mut [f32]) {
        let moments = self.mean[first..].iter_mut().zip(&mut self.square[first..]);
        for ((value, gradient), (mean, square)) in values.iter_mut().zip(gradient).zip(moments) {
            *mean += (1.0 - MEAN_DECAY) * (*gradient - *mean);
            *square += (1.0 - SQUARE_DECAY) * (*gradient * *gradient - *square);
            *value -= step.rate * *mean / ((*square * step.square).sqrt() + LEAST);
            *gradient = 0.0;
        }
    }
}

/// A table of which only some rows change in a step.
#[derive(Clone, Debug)]
pub struct SparseRows {
    /// Row by row.
    pub values: Vec<f32>,
    /// The gradients of the values.
    pub gradient: Vec<f32>,
    moments: Moments,
    width: usize,
    touched: Vec<u32>,
    is_touched: Vec<bool>,
}

impl SparseRows {
    /// Rows of zeros.
    pub fn zeros(rows: usize, width: usize) -> Self {
        Self {
            values: vec![0.0; rows * width],
            gradient: vec![0.0; rows * width],
            moments: Moments::new(rows * width),
            width,
            touched: Vec::new(),
            is_touched: vec![false; rows],
        }
    }

    /// Numbers per row.
    pub fn width(&self) -> usize {
        self.width
    }

    /// The values of a row.
    pub fn row(&self, row: u32) -> &[f32] {
        &self.values[row as usize * self.width..][..self.width]
    }

    /// Adds to the gradient of a row.
    #[inline(always)]
    pub fn push(&mut self, row: u32, gradient: &[f32]) {
        if !std::mem::replace(&mut self.is_touched[row as usize], true) {
            self.touched.push(row);
        }
        add(&mut self.gradient[row as usize * self.width..][..self.width], gradient);
    }

    /// Changes all rows that have a gradient.
    #[inline(always)]
    pub fn step(&mut self, step: Step) {
        for row in self.touched.drain(..) {
            self.is_touched[row as usize] = false;
            let first = row as usize * self.width;
            let range = first..first + self.width;
            self.moments.step(step, first, &mut self.values[range.clone()], &mut self.gradient[range]);
        }
    }
}
