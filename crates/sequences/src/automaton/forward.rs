//! The value of a sequence of any length.

use super::Automaton;
use models::signed_log::SignedLog;

/// `α∞ᵀ A_{x_T} … A_{x_1} α₁`. The state is rescaled to size one at each step, so nothing under- or overflows. A symbol
/// that the automaton does not have makes the value zero.
pub fn evaluate(automaton: &Automaton, sequence: &[u32]) -> SignedLog {
    let mut state = automaton.initial().to_vec();
    let mut scratch = state.clone();
    let mut log = 0.0;
    for &symbol in sequence {
        if symbol as usize >= automaton.symbols() {
            return SignedLog::ZERO;
        }
        step(automaton, symbol, &mut state, &mut scratch);
        let size = state.iter().fold(0.0_f64, |size, entry| size.max(entry.abs()));
        if size == 0.0 {
            return SignedLog::ZERO;
        }
        state.iter_mut().for_each(|entry| *entry /= size);
        log += size.ln();
    }
    let value: f64 = state.iter().zip(automaton.terminal()).map(|(state, terminal)| state * terminal).sum();
    SignedLog::new(value, log)
}

/// Multiplies the state by the operator of a symbol.
pub fn step(automaton: &Automaton, symbol: u32, state: &mut Vec<f64>, scratch: &mut Vec<f64>) {
    let states = automaton.states();
    let operator = &automaton.operators()[symbol as usize * states * states..][..states * states];
    scratch.clear();
    scratch.extend(
        operator
            .chunks_exact(states)
            .map(|row| row.iter().zip(state.iter()).map(|(entry, state)| entry * state).sum::<f64>()),
    );
    std::mem::swap(state, scratch);
}
