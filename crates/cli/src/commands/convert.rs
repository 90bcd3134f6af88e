//! `convert`.

use eigentree::conversion::{ConversionConfig, Target, convert};
use eigentree::files::Output;
use eigentree::reading::{Format, Source};

use crate::args::ConvertArgs;
use crate::failure::UsageError;
use crate::session::{Session, count};

pub(super) fn run(args: ConvertArgs, session: &mut Session) -> anyhow::Result<()> {
    let job = args.build()?;
    let source = Source::open(&job.input, job.from)?;
    let config = ConversionConfig {
        target: job.to.unwrap_or_else(|| Target::same_as(source.format())),
        transforms: job.transforms,
        dependency_transforms: job.dependency_transforms,
        sink: job.sink,
        bad_items: job.bad_items,
    };
    match job.for_trees {
        Some(option) if source.format() != Format::Ptb => {
            let (name, format) = (source.name(), source.format());
            return Err(UsageError(format!(
                "{option} applies only to trees, but {name} is in the format {format}"
            ))
            .into());
        }
        _ => {}
    }
    match job.for_dependencies {
        Some(option) if !matches!(source.format(), Format::Conllu | Format::Conllx) => {
            let (name, format) = (source.name(), source.format());
            return Err(UsageError(format!(
                "{option} applies only to dependencies, but {name} is in the format {format}"
            ))
            .into());
        }
        _ => {}
    }
    if job.heads_for_dependencies && !matches!(config.target, Target::Conllu | Target::Conllx) {
        return Err(UsageError(
            "--head-rules applies only to --binarize head and to dependencies (--to conllu); add one of them or drop it"
                .to_owned(),
        )
        .into());
    }
    config.target.check(source.format())?;
    session.data_to(&job.output);
    let output = Output::create(&job.output)?;
    let converted = convert(source, output, &config, &mut session.progress)?;
    session.progress.end_stage();
    session.skipped(&converted.skipped);
    if converted.emptied > 0 {
        let emptied = count(converted.emptied as usize, "sentence");
        session.tell(format_args!("{emptied} without words skipped"));
    }
    session.field("sentences", converted.sentences);
    session.field("words", converted.words);
    session.field("emptied", converted.emptied);
    Ok(())
}
