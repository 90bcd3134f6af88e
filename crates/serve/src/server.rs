//! Listens, accepts, serves, stops.

use std::io;
use std::net::{SocketAddr, TcpListener};
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;

use axum::Router;
use hyper::server::conn::http1;
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::server::graceful::GracefulShutdown;
use hyper_util::service::TowerToHyperService;
use tokio::net::TcpStream;
use tokio::runtime::Runtime;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio::time::{sleep, timeout};

use crate::config::{Config, Limits};
use crate::connection::Patient;
use crate::jobs;
use crate::log::{Event, Log};
use crate::memory::keep_giving_back;
use crate::registry::{ModelFile, Registry};
use crate::router::router;
use crate::service::Service;
use crate::tape::Tape;

/// How often the request to stop is looked for.
const STOP_INTERVAL: Duration = Duration::from_millis(50);

/// Room for the head of a request. Queries of the CoreNLP protocol hold properties, and those of UDPipe's hold texts.
const HEAD_BYTES: usize = 256 << 10;

/// Threads that read requests and write answers. Annotation has its own.
const IO_THREADS: usize = 2;

/// Why a service cannot run.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ServeError {
    /// A model cannot be loaded. Not transparent, so that programs find the error of the library among the causes.
    #[error("{0}")]
    Model(#[from] eigentree::Error),
    /// The address cannot be listened on.
    #[error("cannot listen on {address}: {error}{}", if error.kind() == io::ErrorKind::AddrInUse { "; choose another port with --port" } else { "" })]
    Address {
        /// The address.
        address: SocketAddr,
        /// The reason.
        error: io::Error,
    },
    /// Threads cannot be started.
    #[error("cannot start the service: {0}")]
    Start(io::Error),
}

/// A service that listens but does not answer yet. Whatever it needs from the system it has.
pub struct Server {
    runtime: Runtime,
    listener: tokio::net::TcpListener,
    address: SocketAddr,
    service: Arc<Service>,
    app: Router,
}

impl Server {
    /// Loads the models and opens the address.
    pub fn bind(config: Config, files: &[ModelFile], log: Log) -> Result<Self, ServeError> {
        let fail = |error| ServeError::Address { address: config.address, error };
        // First the address: loading may take longer than noticing that it is taken.
        let listener = TcpListener::bind(config.address).map_err(fail)?;
        listener.set_nonblocking(true).map_err(fail)?;
        let address = listener.local_addr().map_err(fail)?;
        let registry = Registry::open(files, config.limits.trained_models)?;
        let service = Arc::new(Service::new(config, registry, log).map_err(ServeError::Start)?);
        let runtime = tokio::runtime::Builder::new_multi_thread()
            .worker_threads(IO_THREADS)
            .thread_name("io")
            .enable_all()
            .build()
            .map_err(ServeError::Start)?;
        let listener = {
            let _entered = runtime.enter();
            tokio::net::TcpListener::from_std(listener).map_err(ServeError::Start)?
        };
        let trainer = Arc::clone(&service);
        std::thread::Builder::new()
            .name("train".to_owned())
            .spawn(move || jobs::work(&trainer))
            .map_err(ServeError::Start)?;
        let app = router(Arc::clone(&service));
        Ok(Self { runtime, listener, address, service, app })
    }

    /// The address, with the port that was chosen if port 0 was asked for.
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// Answers what a client sends on one connection before it closes its sending side. Nothing goes over the network: for tests,
    /// and for programs that have requests in memory.
    pub fn answer(&self, sent: &[u8]) -> Vec<u8> {
        let tape = Tape::new(sent);
        let received = tape.received();
        let app = TowerToHyperService::new(self.app.clone());
        self.runtime.block_on(async {
            // What goes wrong on a connection is the client's concern.
            let _ = http(&self.service.config.limits).serve_connection(TokioIo::new(tape), app).await;
        });
        received.take()
    }

    /// Serves until `stop` says so, then finishes what runs.
    pub fn run(self, stop: impl Fn() -> bool) -> Result<(), ServeError> {
        self.run_until(&stop)
    }

    /// The same without a type parameter, so that the protocol is compiled here rather than in the crate of the caller.
    fn run_until(self, stop: &dyn Fn() -> bool) -> Result<(), ServeError> {
        let Self { runtime, listener, service, app, .. } = self;
        runtime.block_on(Self::serve(listener, service, app, stop));
        // Connections that are left are those of clients that had their time.
        runtime.shutdown_timeout(Duration::from_millis(100));
        Ok(())
    }

    async fn serve(
        listener: tokio::net::TcpListener,
        service: Arc<Service>,
        app: Router,
        stop: &dyn Fn() -> bool,
    ) {
        let limits = service.config.limits.clone();
        let slots = Arc::new(Semaphore::new(limits.connections.max(1)));
        let connections = GracefulShutdown::new();
        let http = http(&limits);
        tokio::spawn(keep_giving_back(Arc::clone(&service)));
        if let Some(interval) = service.config.reload_interval {
            tokio::spawn(watch_files(Arc::clone(&service), interval));
        }
        loop {
            tokio::select! {
                () = sleep(STOP_INTERVAL) => {}
                accepted = accept(&listener, &slots) => {
                    // A failure to accept, such as too many open files, passes.
                    let Ok((stream, slot)) = accepted else {
                        sleep(STOP_INTERVAL).await;
                        continue;
                    };
                    let stream = Patient::new(stream, limits.client_time());
                    let client = stream.client();
                    let io = TokioIo::new(stream);
                    let connection = http.serve_connection(io, TowerToHyperService::new(app.clone()));
                    let connection = connections.watch(connection);
                    let service = Arc::clone(&service);
                    service.metrics.connections.fetch_add(1, Ordering::Relaxed);
                    tokio::spawn(async move {
                        tokio::select! {
                            // What goes wrong on a connection is the client's concern: it is gone or does not speak HTTP.
                            _ = connection => {}
                            () = client.leaves() => {}
                        }
                        service.metrics.connections.fetch_sub(1, Ordering::Relaxed);
                        drop(slot);
                    });
                }
            }
            if stop() {
                break;
            }
        }
        drop(listener);
        service.stopping.store(true, Ordering::Relaxed);
        service.jobs.cancel_all();
        let open = service.metrics.connections.load(Ordering::Relaxed);
        service.log.put(&Event::Stopping { connections: open });
        let _ = timeout(Duration::from_secs_f64(limits.stop_seconds), connections.shutdown()).await;
    }
}

/// How connections are spoken to.
fn http(limits: &Limits) -> http1::Builder {
    let mut http = http1::Builder::new();
    http.timer(TokioTimer::new()).header_read_timeout(limits.client_time()).max_buf_size(HEAD_BYTES);
    // Who has sent its request may close its sending side.
    http.half_close(true);
    http
}

/// Waits for a free slot, then for a client. Clients beyond the limit wait in the queue of the operating system.
async fn accept(
    listener: &tokio::net::TcpListener,
    slots: &Arc<Semaphore>,
) -> io::Result<(TcpStream, OwnedSemaphorePermit)> {
    let slot = Arc::clone(slots).acquire_owned().await.map_err(io::Error::other)?;
    let (stream, _) = listener.accept().await?;
    // Answers are written whole; waiting for more to send helps nobody.
    stream.set_nodelay(true)?;
    Ok((stream, slot))
}

/// Looks at the model files again and again. Reading a large model takes a while; requests go on meanwhile.
async fn watch_files(service: Arc<Service>, interval: Duration) {
    loop {
        sleep(interval).await;
        let service = Arc::clone(&service);
        let _ = tokio::task::spawn_blocking(move || service.look_at_files()).await;
    }
}
