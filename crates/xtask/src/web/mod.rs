//! The playground: as static files for any web host, and its tests in a browser.

mod browser;
mod folders;
mod site;
mod wasm;

pub(crate) use browser::run as test_in_browser;
pub(crate) use site::run as build_site;
