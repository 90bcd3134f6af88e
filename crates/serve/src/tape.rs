//! A connection in memory: what the client sends is there from the beginning, what it gets is kept.

use std::io;
use std::pin::Pin;
use std::sync::{Arc, Mutex, PoisonError};
use std::task::{Context, Poll};

use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};

/// The side of the service. The client has closed its sending side.
pub(crate) struct Tape {
    sent: Vec<u8>,
    at: usize,
    received: Received,
}

/// What the client got.
#[derive(Clone, Default)]
pub(crate) struct Received(Arc<Mutex<Vec<u8>>>);

impl Tape {
    pub(crate) fn new(sent: &[u8]) -> Self {
        Self { sent: sent.to_vec(), at: 0, received: Received::default() }
    }

    pub(crate) fn received(&self) -> Received {
        self.received.clone()
    }
}

impl Received {
    pub(crate) fn take(&self) -> Vec<u8> {
        std::mem::take(&mut self.0.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

impl AsyncRead for Tape {
    fn poll_read(
        mut self: Pin<&mut Self>,
        _: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        let end = self.sent.len().min(self.at + buffer.remaining());
        buffer.put_slice(&self.sent[self.at..end]);
        self.at = end;
        Poll::Ready(Ok(()))
    }
}

impl AsyncWrite for Tape {
    fn poll_write(self: Pin<&mut Self>, _: &mut Context<'_>, data: &[u8]) -> Poll<io::Result<usize>> {
        self.received.0.lock().unwrap_or_else(PoisonError::into_inner).extend_from_slice(data);
        Poll::Ready(Ok(data.len()))
    }

    fn poll_flush(self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<io::Result<()>> {
        Poll::Ready(Ok(()))
    }

    fn poll_shutdown(self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<io::Result<()>> {
        Poll::Ready(Ok(()))
    }
}
