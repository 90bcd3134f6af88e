//! Reads the bodies of requests within limits: bytes of one request, bytes of all requests at once, time.

use std::sync::Arc;

use axum::body::Body;
use bytes::{Buf, Bytes};
use http_body_util::BodyExt;
use serde::de::DeserializeOwned;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio::time::{Instant, timeout_at};

use crate::config::Limits;
use crate::failure::{Answer, Failure};

/// The unit of the budget, in bytes.
const UNIT: usize = 4096;

/// The memory that bodies of all requests may take at once.
#[derive(Clone)]
pub(crate) struct Budget {
    units: Arc<Semaphore>,
}

/// A body in memory. Its share of the budget is free again when it is dropped.
pub(crate) struct WholeBody {
    bytes: Vec<u8>,
    _share: Option<OwnedSemaphorePermit>,
}

impl Budget {
    pub(crate) fn new(bytes: usize) -> Self {
        Self { units: Arc::new(Semaphore::new((bytes / UNIT).clamp(1, u32::MAX as usize))) }
    }

    fn take(&self, share: &mut Option<OwnedSemaphorePermit>, bytes: usize) -> Answer<()> {
        let held = share.as_ref().map_or(0, OwnedSemaphorePermit::num_permits);
        let more = bytes.div_ceil(UNIT).saturating_sub(held);
        if more == 0 {
            return Ok(());
        }
        let more = u32::try_from(more).map_err(|_| Failure::busy(1))?;
        let new = Arc::clone(&self.units).try_acquire_many_owned(more).map_err(|_| Failure::busy(1))?;
        match share {
            Some(share) => share.merge(new),
            None => *share = Some(new),
        }
        Ok(())
    }

    /// Reads a body of at most `most` bytes, within the time that clients have.
    pub(crate) async fn read(&self, body: Body, most: usize, limits: &Limits) -> Answer<WholeBody> {
        let deadline = Instant::now() + limits.client_time();
        let (mut bytes, mut share, mut body) = (Vec::new(), None, body);
        loop {
            let frame = timeout_at(deadline, body.frame()).await.map_err(|_| Failure::slow_client())?;
            let Some(frame) = frame else { break };
            let frame = frame.map_err(|error| {
                Failure::bad_request(format!("the body of the request broke off: {error}"))
            })?;
            // Trailers are of no use here.
            let Ok(data) = frame.into_data() else { continue };
            let length = bytes.len() + data.remaining();
            if length > most {
                return Err(Failure::too_large("the body of the request", most, "bytes"));
            }
            self.take(&mut share, length)?;
            bytes.extend_from_slice(&data);
        }
        Ok(WholeBody { bytes, _share: share })
    }
}

impl WholeBody {
    /// The text.
    pub(crate) fn text(&self) -> Answer<&str> {
        text_of(&self.bytes)
    }

    /// The JSON value.
    pub(crate) fn json<T: DeserializeOwned>(&self) -> Answer<T> {
        let text = self.text()?;
        if text.trim_ascii().is_empty() {
            return Err(Failure::bad_request("the body of the request is empty; expected a JSON object"));
        }
        json_of(text)
    }
}

/// Bytes that must be UTF-8.
pub(crate) fn text_of(bytes: &[u8]) -> Answer<&str> {
    std::str::from_utf8(bytes).map_err(|error| {
        Failure::bad_request(format!(
            "the text is not valid UTF-8: byte {} starts no character",
            error.valid_up_to() + 1
        ))
        .with_hint("convert text in another encoding to UTF-8 first")
    })
}

/// Parses JSON.
pub(crate) fn json_of<T: DeserializeOwned>(text: &str) -> Answer<T> {
    serde_json::from_str(text)
        .map_err(|error| Failure::bad_request(format!("the JSON of the request is not as expected: {error}")))
}

/// Divides a body into lines as it arrives.
pub(crate) struct Lines {
    body: Body,
    waiting: Vec<u8>,
    /// Bytes at the beginning of `waiting` that are known to have no end of line.
    searched: usize,
    ended: bool,
    most: usize,
    pause: std::time::Duration,
}

impl Lines {
    /// Lines of at most `most` bytes. The client must send something at least once per `client_time`.
    pub(crate) fn new(body: Body, most: usize, limits: &Limits) -> Self {
        let pause = limits.client_time();
        Self { body, waiting: Vec::new(), searched: 0, ended: false, most, pause }
    }

    /// The next line without its end; `None` after the last one.
    pub(crate) async fn next(&mut self) -> Answer<Option<Bytes>> {
        loop {
            if let Some(at) = self.waiting[self.searched..].iter().position(|&byte| byte == b'\n') {
                let end = self.searched + at;
                self.searched = 0;
                let mut line: Vec<u8> = self.waiting.drain(..=end).collect();
                line.pop();
                if line.last() == Some(&b'\r') {
                    line.pop();
                }
                return Ok(Some(line.into()));
            }
            self.searched = self.waiting.len();
            if self.searched > self.most {
                return Err(Failure::too_large("a line of the stream", self.most, "bytes"));
            }
            if self.ended {
                self.searched = 0;
                let rest = std::mem::take(&mut self.waiting);
                return Ok((!rest.is_empty()).then(|| rest.into()));
            }
            let frame = tokio::time::timeout(self.pause, self.body.frame());
            match frame.await.map_err(|_| Failure::slow_client())? {
                None => self.ended = true,
                Some(Err(error)) => {
                    return Err(Failure::bad_request(format!("the stream broke off: {error}")));
                }
                Some(Ok(frame)) => {
                    if let Ok(data) = frame.into_data() {
                        self.waiting.extend_from_slice(&data);
                    }
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use futures_util::stream;

    use super::*;

    fn block_on<T>(work: impl Future<Output = T>) -> T {
        tokio::runtime::Builder::new_current_thread().enable_time().build().unwrap().block_on(work)
    }

    fn body_of(parts: &[&'static str]) -> Body {
        let parts: Vec<Result<Bytes, std::io::Error>> =
            parts.iter().map(|part| Ok(Bytes::from_static(part.as_bytes()))).collect();
        Body::from_stream(stream::iter(parts))
    }

    #[test]
    fn bodies_beyond_a_limit_are_refused() {
        let limits = Limits::default();
        let budget = Budget::new(2 * UNIT);
        let read = |text: &'static str, most| block_on(budget.read(body_of(&[text, text]), most, &limits));
        assert_eq!(read("abc", 6).unwrap_or_else(|_| panic!("it fits")).bytes, b"abcabc");
        assert_eq!(read("abc", 5).err().map(|failure| failure.code), Some("too_large"));
        let first = read("abc", 6).unwrap_or_else(|_| panic!("one unit"));
        let second = read("abc", 6).unwrap_or_else(|_| panic!("the other unit"));
        assert_eq!(read("abc", 6).err().map(|failure| failure.code), Some("busy"));
        drop((first, second));
        assert!(read("abc", 6).is_ok());
    }

    #[test]
    fn lines_do_not_depend_on_how_they_arrive() {
        let all = |parts: &[&'static str]| {
            block_on(async {
                let mut lines = Lines::new(body_of(parts), 10, &Limits::default());
                let mut found = Vec::new();
                while let Some(line) = lines.next().await? {
                    found.push(String::from_utf8_lossy(&line).into_owned());
                }
                Ok::<_, Failure>(found)
            })
        };
        let expected = ["one", "", "two", "three"];
        assert_eq!(all(&["one\n\ntwo\r\nthree"]).unwrap(), expected);
        assert_eq!(all(&["o", "ne\n", "\nt", "wo\r", "\nthree\n"]).unwrap(), expected);
        assert_eq!(all(&["far too long ", "a line\n"]).unwrap_err().code, "too_large");
    }
}
