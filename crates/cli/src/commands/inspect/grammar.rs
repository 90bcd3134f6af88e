//! A grammar as text.

use std::fmt::Write as _;

use eigentree::inspection::GrammarContents;

use super::{figures, states};

/// Shows sizes, roots, and the requested symbols or the overview of latent states.
pub(super) fn put(text: &mut String, shown: &GrammarContents<'_>) {
    text.push_str("grammar\n");
    figures::put(text, &shown.statistics.figures);
    let roots: Vec<String> =
        shown.statistics.roots.iter().map(|(label, share)| format!("{label} {share:.4}")).collect();
    let _ = writeln!(text, "roots: {}", roots.join(", "));
    for symbol in &shown.symbols {
        let label = &symbol.label;
        for list in &symbol.expansions {
            let _ = writeln!(text, "{} of {label} ({} in total)", list.kind.name(), list.count);
            for expansion in &list.top {
                let (share, times) = (expansion.share, expansion.count);
                let _ = writeln!(text, "  {share:.6}  {times:>7}  {label} → {}", expansion.text);
            }
        }
        symbol.latent.iter().for_each(|symbol| states::put(text, symbol));
    }
    if shown.member.is_some() && shown.symbols.is_empty() {
        states::put_overview(text, &shown.latent, shown.latent_symbols);
    }
}
