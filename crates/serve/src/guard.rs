//! What happens to every request before and after its handler: identity, origin, token, counting, log.

use std::net::IpAddr;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Instant;

use axum::extract::{MatchedPath, Request, State};
use axum::http::{HeaderMap, HeaderName, HeaderValue, Method, header};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};

use crate::assets;
use crate::config::Origins;
use crate::failure::{Answer, Failure};
use crate::log::Event;
use crate::service::Service;

const REQUEST_ID: HeaderName = HeaderName::from_static("x-request-id");

/// Counts a request while it is answered, however that ends.
struct InFlight<'s>(&'s Service);

impl Drop for InFlight<'_> {
    fn drop(&mut self) {
        self.0.metrics.in_flight.fetch_sub(1, Ordering::Relaxed);
    }
}

/// Checks, runs, counts and logs a request.
pub(crate) async fn guard(State(service): State<Arc<Service>>, request: Request, next: Next) -> Response {
    let begun = Instant::now();
    service.metrics.in_flight.fetch_add(1, Ordering::Relaxed);
    let _in_flight = InFlight(&service);
    let id = given_id(request.headers()).unwrap_or_else(|| service.request_id());
    let method = request.method().clone();
    let path = request.uri().path().to_owned();
    let route =
        request.extensions().get::<MatchedPath>().map_or("other", |matched| matched.as_str()).to_owned();
    let mut response = match admit(&service, &request) {
        Ok(()) => next.run(request).await,
        Err(failure) => failure.into_response(),
    };
    let headers = response.headers_mut();
    if let Ok(id) = HeaderValue::try_from(&id) {
        headers.insert(REQUEST_ID, id);
    }
    headers.insert(header::X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff"));
    headers.insert(header::REFERRER_POLICY, HeaderValue::from_static("no-referrer"));
    headers
        .entry(header::CONTENT_SECURITY_POLICY)
        .or_insert(HeaderValue::from_static("default-src 'none'; frame-ancestors 'none'"));
    let (status, seconds) = (response.status().as_u16(), begun.elapsed().as_secs_f64());
    if status == 500 {
        service.metrics.panics.fetch_add(1, Ordering::Relaxed);
    }
    service.metrics.answered(&route, name_of(&method), status, seconds);
    service.log.put(&Event::Request { id, method: method.to_string(), path, status, seconds });
    response
}

/// Labels of metrics must be few, and methods are whatever clients write.
fn name_of(method: &Method) -> &'static str {
    match *method {
        Method::GET => "GET",
        Method::HEAD => "HEAD",
        Method::POST => "POST",
        Method::DELETE => "DELETE",
        Method::OPTIONS => "OPTIONS",
        _ => "other",
    }
}

/// The id that a client or a proxy gave to its request, if it is harmless.
fn given_id(headers: &HeaderMap) -> Option<String> {
    let id = headers.get(REQUEST_ID)?.to_str().ok()?;
    let fine = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_' | b'.');
    (!id.is_empty() && id.len() <= 64 && id.bytes().all(fine)).then(|| id.to_owned())
}

fn admit(service: &Service, request: &Request) -> Answer<()> {
    let config = &service.config;
    let text = |name| request.headers().get(name).map(|value| value.to_str().unwrap_or_default());
    let host = text(header::HOST).or_else(|| request.uri().authority().map(|authority| authority.as_str()));
    if !is_own_host(host.unwrap_or_default(), config.address.ip(), &config.host_names) {
        return Err(Failure::forbidden("the service does not go by the name that the request addresses")
            .with_hint("start it with `--allow-host NAME` if it should"));
    }
    if let Some(origin) = text(header::ORIGIN)
        && !is_allowed_origin(origin, host.unwrap_or_default(), &config.origins)
    {
        return Err(Failure::forbidden("pages of other origins may not call the service")
            .with_hint("start it with `--cors ORIGIN` if this one may"));
    }
    let reads = matches!(*request.method(), Method::GET | Method::HEAD);
    let path = request.uri().path();
    let open = reads && (path == "/health" || assets::find(path).is_some());
    match &config.token {
        Some(token) if !open => {
            let given = text(header::AUTHORIZATION).and_then(|value| {
                let (scheme, given) = value.split_once(' ')?;
                scheme.eq_ignore_ascii_case("bearer").then_some(given.trim())
            });
            if given.is_some_and(|given| token.matches(given)) {
                Ok(())
            } else {
                Err(Failure::unauthorized())
            }
        }
        _ => Ok(()),
    }
}

/// Whether the service answers under this name. A page elsewhere can make its own name point to this machine, so a service
/// for this machine only answers to names of this machine only.
fn is_own_host(host: &str, address: IpAddr, names: &[String]) -> bool {
    let name = match host.strip_prefix('[') {
        Some(rest) => rest.split(']').next().unwrap_or_default(),
        None => host.rsplit_once(':').map_or(host, |(name, _)| name),
    };
    if names.iter().any(|own| own.eq_ignore_ascii_case(name)) {
        return true;
    }
    if !address.is_loopback() {
        return names.is_empty() || name.parse::<IpAddr>().is_ok();
    }
    name.eq_ignore_ascii_case("localhost") || name.parse::<IpAddr>().is_ok_and(|ip| ip.is_loopback())
}

fn is_allowed_origin(origin: &str, host: &str, origins: &Origins) -> bool {
    let own = origin.strip_prefix("http://").or_else(|| origin.strip_prefix("https://"));
    let listed = match origins {
        Origins::Own => false,
        Origins::Listed(listed) => listed.iter().any(|other| other == origin),
        Origins::Any => true,
    };
    listed || own.is_some_and(|own| own.eq_ignore_ascii_case(host))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_service_for_this_machine_answers_to_its_names_only() {
        let here: IpAddr = "127.0.0.1".parse().unwrap();
        for host in ["localhost", "localhost:8080", "127.0.0.1:8080", "[::1]:8080", "LOCALHOST"] {
            assert!(is_own_host(host, here, &[]), "{host}");
        }
        for host in ["", "example.org", "example.org:8080", "localhost.example.org", "10.0.0.1"] {
            assert!(!is_own_host(host, here, &[]), "{host}");
        }
        assert!(is_own_host("example.org", here, &["example.org".to_owned()]));
        let all: IpAddr = "0.0.0.0".parse().unwrap();
        assert!(is_own_host("box.local:80", all, &[]));
        assert!(!is_own_host("evil.example", all, &["box.local".to_owned()]));
        assert!(is_own_host("10.0.0.7:80", all, &["box.local".to_owned()]));
    }

    #[test]
    fn only_allowed_pages_may_call() {
        let host = "localhost:8080";
        assert!(is_allowed_origin("http://localhost:8080", host, &Origins::Own));
        for origin in ["http://localhost:9090", "https://example.org", "null", ""] {
            assert!(!is_allowed_origin(origin, host, &Origins::Own), "{origin}");
        }
        let listed = Origins::Listed(vec!["https://example.org".to_owned()]);
        assert!(is_allowed_origin("https://example.org", host, &listed));
        assert!(!is_allowed_origin("https://example.org.evil", host, &listed));
        assert!(is_allowed_origin("https://any.example", host, &Origins::Any));
    }
}
