//! `serve`: bind, serve, stop.

use std::io::{self, Write};
use std::time::Duration;

use serve::{Log, Server};

use crate::args::{LogFormat, ServeArgs, ServeJob};
use crate::interrupt;
use crate::session::{Session, count};

/// Time that the service gets beyond that of its requests, when it is asked to stop.
const REST: Duration = Duration::from_secs(5);

pub(super) fn run(args: ServeArgs, session: &mut Session) -> anyhow::Result<()> {
    let usual_log = if session.is_quiet() { LogFormat::Off } else { LogFormat::Json };
    let ServeJob { config, models, log } =
        args.build(rayon::current_num_threads(), session.seed, usual_log)?;
    let log = match log {
        LogFormat::Off => Log::silent(),
        LogFormat::Json => Log::new(|event| {
            // Errors in writing to standard error are ignored: there is nowhere left to report them.
            let _ = writeln!(io::stderr(), "{}", event.to_json());
        }),
    };
    interrupt::set_grace(Duration::from_secs_f64(config.limits.stop_seconds) + REST);
    let open = config.token.is_none() && !config.address.ip().is_loopback();
    let server = Server::bind(config, &models, log)?;
    let address = server.address();
    if open {
        session.tell(format_args!(
            "other machines can use the service, and no token is asked for (--token-file)"
        ));
    }
    session.tell(format_args!(
        "listening on http://{address} with {}; stop with Ctrl-C",
        count(models.len(), "model")
    ));
    session.field("address", address.to_string());
    server.run(interrupt::requested)?;
    session.tell(format_args!("stopped"));
    Ok(())
}
