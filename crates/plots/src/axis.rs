//! From values to places along an axis, and the ticks on it.

/// How values are spread along an axis.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Scale {
    /// Equal differences are equally far apart.
    #[default]
    Linear,
    /// Equal ratios are; values must be positive.
    Logarithmic,
}

impl Scale {
    fn measure(self, value: f64) -> f64 {
        match self {
            Scale::Linear => value,
            Scale::Logarithmic => value.max(f64::MIN_POSITIVE).log10(),
        }
    }
}

/// An axis from `from` to `to` pixels.
#[derive(Clone, Debug)]
pub(super) struct Axis {
    scale: Scale,
    low: f64,
    high: f64,
    from: f64,
    to: f64,
    pub(super) ticks: Vec<f64>,
}

impl Axis {
    /// An axis for some values, with round ticks that reach around all of them. Values that are not finite do not count.
    pub(super) fn around(
        scale: Scale,
        values: impl IntoIterator<Item = f64>,
        (from, to): (f64, f64),
    ) -> Self {
        let usable = |value: &f64| value.is_finite() && (scale == Scale::Linear || *value > 0.0);
        let values: Vec<f64> = values.into_iter().filter(usable).collect();
        let (low, high) =
            match (values.iter().copied().reduce(f64::min), values.iter().copied().reduce(f64::max)) {
                (Some(low), Some(high)) => (low, high),
                _ => (1.0, 10.0),
            };
        let ticks = match scale {
            Scale::Linear => linear_ticks(low, high),
            Scale::Logarithmic => logarithmic_ticks(low, high),
        };
        Self::with_ticks(scale, ticks, (from, to))
    }

    /// An axis with these ticks, rising, from the first to the last.
    pub(super) fn with_ticks(scale: Scale, ticks: Vec<f64>, (from, to): (f64, f64)) -> Self {
        let end = |tick: Option<&f64>| scale.measure(tick.copied().unwrap_or(1.0));
        let (low, high) = (end(ticks.first()), end(ticks.last()));
        // An axis of one value has it in the middle.
        let (low, high) = if high > low { (low, high) } else { (low - 0.5, low + 0.5) };
        Self { scale, low, high, from, to, ticks }
    }

    /// Leaves a share of the length free at both ends.
    pub(super) fn with_margin(mut self, share: f64) -> Self {
        let margin = share * (self.high - self.low);
        (self.low, self.high) = (self.low - margin, self.high + margin);
        self
    }

    /// Where a value stands, in pixels; what is outside stands at the nearer end.
    pub(super) fn place(&self, value: f64) -> f64 {
        let share = (self.scale.measure(value) - self.low) / (self.high - self.low);
        self.from + share.clamp(0.0, 1.0) * (self.to - self.from)
    }
}

/// At least two multiples of 1, 2 or 5 times a power of ten, around the values.
fn linear_ticks(low: f64, high: f64) -> Vec<f64> {
    /// About so many steps.
    const STEPS: f64 = 6.0;
    let range = if high > low { high - low } else { low.abs().max(1.0) * 0.1 };
    let rough = range / STEPS;
    let power = 10_f64.powf(rough.log10().floor());
    let step = [1.0, 2.0, 5.0, 10.0].map(|factor| factor * power).into_iter().find(|&step| step >= rough);
    let step = step.unwrap_or(10.0 * power);
    let (first, last) = ((low / step).floor(), (high / step).ceil());
    let last = last.max(first + 1.0);
    // Multiples, not sums: these would drift.
    (0..=(last - first) as usize).map(|at| (first + at as f64) * step).collect()
}

/// Powers of ten around the values, with 2 and 5 between them if there are few.
fn logarithmic_ticks(low: f64, high: f64) -> Vec<f64> {
    let (first, last) = (low.log10().floor() as i32, high.log10().ceil() as i32);
    let last = last.max(first + 1);
    let mut ticks = Vec::new();
    for power in first..=last {
        let ten = 10_f64.powi(power);
        ticks.push(ten);
        if last - first <= 3 && power < last {
            ticks.extend([2.0 * ten, 5.0 * ten]);
        }
    }
    // Those next to the values are enough: a whole power of ten can be half of the picture.
    let first = ticks.iter().rposition(|&tick| tick <= low).unwrap_or(0).min(ticks.len() - 2);
    let last = ticks.iter().position(|&tick| tick >= high).unwrap_or(ticks.len() - 1).max(first + 1);
    ticks[first..=last].to_vec()
}

/// A tick in few characters.
pub(super) fn label(tick: f64) -> String {
    let rounded = (tick * 1e6).round() / 1e6;
    match rounded.abs() {
        size if size >= 1e9 => format!("{} G", rounded / 1e9),
        size if size >= 1e6 => format!("{} M", rounded / 1e6),
        size if size >= 1e3 && size.fract() == 0.0 => {
            format!("{},{:03}", (rounded / 1e3).trunc(), size % 1e3)
        }
        _ => format!("{rounded}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ticks_are_round_and_reach_around() {
        let told = |low, high| linear_ticks(low, high).iter().map(|&tick| label(tick)).collect::<Vec<_>>();
        assert_eq!(told(68.6, 88.8), ["65", "70", "75", "80", "85", "90"]);
        assert_eq!(told(0.12, 0.31), ["0.1", "0.15", "0.2", "0.25", "0.3", "0.35"]);
        assert_eq!(logarithmic_ticks(0.3, 700.0), [0.1, 1.0, 10.0, 100.0, 1000.0]);
        assert_eq!(logarithmic_ticks(3.0, 70.0), [2.0, 5.0, 10.0, 20.0, 50.0, 100.0]);
        assert_eq!(
            [1e3, 2e4, 1e5, -2500.0, 2.5e6, 1e9].map(label),
            ["1,000", "20,000", "100,000", "-2,500", "2.5 M", "1 G"]
        );
        // One value, and none.
        assert!(linear_ticks(7.0, 7.0).len() >= 2 && logarithmic_ticks(1.0, 1.0).len() >= 2);
        let empty = Axis::around(Scale::Linear, [f64::NAN], (0.0, 100.0));
        assert!(empty.place(3.0).is_finite());
    }

    #[test]
    fn values_stand_where_they_belong() {
        let axis = Axis::around(Scale::Linear, [10.0, 20.0], (100.0, 0.0));
        assert_eq!((axis.place(10.0), axis.place(20.0), axis.place(15.0)), (100.0, 0.0, 50.0));
        let axis = Axis::with_ticks(Scale::Logarithmic, vec![8.0, 16.0, 32.0], (0.0, 100.0));
        assert!((axis.place(16.0) - 50.0).abs() < 1e-9);
        let axis = Axis::with_ticks(Scale::Logarithmic, vec![8.0], (0.0, 100.0));
        assert_eq!(axis.place(8.0), 50.0);
    }
}
