//! The parts of a world that browsers show: its description, its meshes and images, and the page
//! itself.
//!
//! [`WorldLibrary`] answers the queries of clients about the present world of a session, or the
//! world of a recorded run. [`PAGE`] is the page, in programs that contain it, and [`single_file`]
//! the page and a recording in one file.
//!
//! The page is written in TypeScript, in the folder `web` of the repository. With the feature
//! `page`, the build script builds it with npm; without it, the crate needs no npm and [`PAGE`] is
//! empty. The server is in `simhost-live`, and [`describe()`] returns the description that the page
//! draws.

#![cfg_attr(test, allow(clippy::unwrap_used))]

mod assets;
mod describe;
mod library;
mod tab_file;

use simhost_live::PageFile;

pub use describe::describe;
pub use library::{SessionQuestion, WorldLibrary, single_file};
pub use tab_file::tab_file;

/// The page as a browser receives it; empty in programs without the feature `page`.
#[cfg(feature = "page")]
pub const PAGE: &[PageFile] = &[
    PageFile {
        path: "/",
        kind: "text/html; charset=utf-8",
        gzip: include_bytes!(concat!(env!("OUT_DIR"), "/index.html.gz")),
    },
    PageFile {
        path: "/app.js",
        kind: "text/javascript; charset=utf-8",
        gzip: include_bytes!(concat!(env!("OUT_DIR"), "/app.js.gz")),
    },
    PageFile {
        path: "/app.css",
        kind: "text/css; charset=utf-8",
        gzip: include_bytes!(concat!(env!("OUT_DIR"), "/app.css.gz")),
    },
];

/// The page as a browser receives it; empty in programs without the feature `page`.
#[cfg(not(feature = "page"))]
pub const PAGE: &[PageFile] = &[];

/// Files that the page needs in addition to [`PAGE`] to run worlds in a tab; empty in programs without the feature `page`.
#[cfg(feature = "page")]
pub const TAB: &[PageFile] = &[
    PageFile {
        path: "/index.html",
        kind: "text/html; charset=utf-8",
        gzip: include_bytes!(concat!(env!("OUT_DIR"), "/tab.html.gz")),
    },
    PageFile {
        path: "/tab.js",
        kind: "text/javascript; charset=utf-8",
        gzip: include_bytes!(concat!(env!("OUT_DIR"), "/tab.js.gz")),
    },
    PageFile {
        path: "/tab.css",
        kind: "text/css; charset=utf-8",
        gzip: include_bytes!(concat!(env!("OUT_DIR"), "/tab.css.gz")),
    },
    PageFile {
        path: "/worker.js",
        kind: "text/javascript; charset=utf-8",
        gzip: include_bytes!(concat!(env!("OUT_DIR"), "/worker.js.gz")),
    },
];

/// Files that the page needs in addition to [`PAGE`] to run worlds in a tab; empty in programs without the feature `page`.
#[cfg(not(feature = "page"))]
pub const TAB: &[PageFile] = &[];

/// The page as text, to be put into one file: `index.html`, `app.js` and `app.css`; `None` in programs without it.
#[cfg(feature = "page")]
pub const TEXTS: Option<[&str; 3]> = Some([
    include_str!(concat!(env!("OUT_DIR"), "/index.html")),
    include_str!(concat!(env!("OUT_DIR"), "/app.js")),
    include_str!(concat!(env!("OUT_DIR"), "/app.css")),
]);

/// The page as text, to be put into one file: `index.html`, `app.js` and `app.css`; `None` in programs without it.
#[cfg(not(feature = "page"))]
pub const TEXTS: Option<[&str; 3]> = None;
