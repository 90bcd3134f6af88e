//! Statistics of the positions of sequences.

use spectral::SpectralError;
use spectral::operators::AutomatonSites;
use spectral::view::{FeatureDim, FeatureId, ViewPair, ViewPairBuilder};

use super::basis::{Basis, FeatureSet, Signature};
use super::counts::SequenceCounts;
use super::tally::Tally;

/// The features of all positions of the sequences; equal positions are counted once.
pub(super) fn places(counts: &SequenceCounts, basis: &Basis) -> Result<AutomatonSites, SpectralError> {
    let (prefixes, suffixes) = (&basis.prefixes, &basis.suffixes);
    let (mut places, mut steps) = (Tally::default(), Tally::default());
    let (mut initial, mut terminal) = (vec![0.0; suffixes.len()], vec![0.0; prefixes.len()]);
    let mut features = Vec::new();
    for (sequence, weight) in counts.iter() {
        let mut before = prefixes.signature(sequence, 0);
        let mut after = suffixes.signature(sequence, 0);
        suffixes.of_signature(after, &mut features);
        features.iter().for_each(|&feature| initial[feature as usize] += weight);
        places.add((0, before, after), weight);
        for (place, &symbol) in sequence.iter().enumerate() {
            after = suffixes.signature(sequence, place + 1);
            steps.add((symbol, before, after), weight);
            before = prefixes.signature(sequence, place + 1);
            places.add((0, before, after), weight);
        }
        prefixes.of_signature(before, &mut features);
        features.iter().for_each(|&feature| terminal[feature as usize] += weight);
    }
    let (places, steps) = (places.sorted(), steps.sorted());
    let symbols = steps.iter().filter_map(|((symbol, ..), _)| FeatureId::new(*symbol as usize)).collect();
    Ok(AutomatonSites {
        places: views(&places, basis)?,
        steps: views(&steps, basis)?,
        symbols,
        alphabet: dim(counts.alphabet())?,
        initial,
        terminal,
        strings: counts.total(),
    })
}

fn views(
    sites: &[((u32, Signature, Signature), f64)],
    basis: &Basis,
) -> Result<ViewPair<f64>, SpectralError> {
    let mut builder = ViewPairBuilder::new();
    let (mut left, mut right) = (Vec::new(), Vec::new());
    for &((_, before, after), weight) in sites {
        basis.suffixes.of_signature(after, &mut left);
        basis.prefixes.of_signature(before, &mut right);
        builder.push(indicators(&left), indicators(&right), weight);
    }
    let size = |set: &FeatureSet| dim(set.len());
    builder.finish(size(&basis.suffixes)?, size(&basis.prefixes)?)
}

fn indicators(features: &[u32]) -> impl Iterator<Item = (FeatureId, f64)> {
    features.iter().filter_map(|&feature| Some((FeatureId::new(feature as usize)?, 1.0)))
}

fn dim(size: usize) -> Result<FeatureDim, SpectralError> {
    FeatureDim::new(size).ok_or(SpectralError::TooManyFeatures)
}
