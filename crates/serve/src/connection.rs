//! Connections of clients that do not behave: who does not read its answer is cut off, who closes its sending side after the
//! request still gets one, and who is gone is noticed.

use std::io;
use std::net::Shutdown;
use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::task::{Context, Poll, ready};
use std::time::Duration;

use socket2::SockRef;
use tokio::io::{AsyncRead, AsyncWrite, Interest, ReadBuf};
use tokio::net::TcpStream;
use tokio::time::{Instant, Sleep, sleep};

/// How often a connection is looked at that has data which nobody reads yet.
const LOOK: Duration = Duration::from_secs(1);

/// A stream whose writes fail if nothing can be written for some time.
pub(crate) struct Patient {
    stream: Arc<TcpStream>,
    /// Bytes written so far.
    written: Arc<AtomicU64>,
    patience: Duration,
    /// Runs while a write waits.
    timer: Pin<Box<Sleep>>,
    waiting: bool,
}

/// The other end of a [`Patient`] stream.
pub(crate) struct Client {
    stream: Arc<TcpStream>,
    written: Arc<AtomicU64>,
    patience: Duration,
}

impl Patient {
    pub(crate) fn new(stream: TcpStream, patience: Duration) -> Self {
        let timer = Box::pin(sleep(patience));
        Self { stream: Arc::new(stream), written: Arc::default(), patience, timer, waiting: false }
    }

    /// The client, to be watched while it is served.
    pub(crate) fn client(&self) -> Client {
        let (stream, written) = (Arc::clone(&self.stream), Arc::clone(&self.written));
        Client { stream, written, patience: self.patience }
    }

    /// Writes when the stream is ready, and counts. A write that waits too long is an error.
    fn poll_sent(
        &mut self,
        cx: &mut Context<'_>,
        write: impl Fn(&TcpStream) -> io::Result<usize>,
    ) -> Poll<io::Result<usize>> {
        loop {
            match self.stream.poll_write_ready(cx) {
                Poll::Ready(Ok(())) => {}
                Poll::Ready(Err(error)) => return Poll::Ready(Err(error)),
                Poll::Pending => return self.poll_patience(cx),
            }
            match write(&self.stream) {
                // Its readiness was out of date; asking again waits.
                Err(error) if error.kind() == io::ErrorKind::WouldBlock => {}
                result => {
                    self.waiting = false;
                    if let Ok(bytes) = result {
                        self.written.fetch_add(bytes as u64, Ordering::Relaxed);
                    }
                    return Poll::Ready(result);
                }
            }
        }
    }

    fn poll_patience(&mut self, cx: &mut Context<'_>) -> Poll<io::Result<usize>> {
        if !self.waiting {
            self.waiting = true;
            let end = Instant::now() + self.patience;
            self.timer.as_mut().reset(end);
        }
        ready!(self.timer.as_mut().poll(cx));
        self.waiting = false;
        Poll::Ready(Err(io::Error::new(io::ErrorKind::TimedOut, "the client does not read")))
    }
}

impl Client {
    /// Waits until the client has closed its sending side and then got nothing for as long as clients have patience. It may
    /// still wait for its answer, or be gone: nothing but time tells the two apart.
    pub(crate) async fn leaves(self) {
        loop {
            match self.stream.ready(Interest::READABLE).await {
                Ok(ready) if !ready.is_read_closed() => sleep(LOOK).await,
                _ => break,
            }
        }
        loop {
            let before = self.written.load(Ordering::Relaxed);
            sleep(self.patience).await;
            if self.written.load(Ordering::Relaxed) == before {
                return;
            }
        }
    }
}

impl AsyncRead for Patient {
    fn poll_read(
        self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        loop {
            ready!(self.stream.poll_read_ready(cx))?;
            match self.stream.try_read(buffer.initialize_unfilled()) {
                Err(error) if error.kind() == io::ErrorKind::WouldBlock => {}
                Ok(bytes) => {
                    buffer.advance(bytes);
                    return Poll::Ready(Ok(()));
                }
                Err(error) => return Poll::Ready(Err(error)),
            }
        }
    }
}

impl AsyncWrite for Patient {
    fn poll_write(mut self: Pin<&mut Self>, cx: &mut Context<'_>, data: &[u8]) -> Poll<io::Result<usize>> {
        self.poll_sent(cx, |stream| stream.try_write(data))
    }

    fn poll_flush(self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<io::Result<()>> {
        // What is written is with the operating system.
        Poll::Ready(Ok(()))
    }

    fn poll_shutdown(self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<io::Result<()>> {
        Poll::Ready(SockRef::from(&*self.stream).shutdown(Shutdown::Write))
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        data: &[io::IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        self.poll_sent(cx, |stream| stream.try_write_vectored(data))
    }

    fn is_write_vectored(&self) -> bool {
        true
    }
}
