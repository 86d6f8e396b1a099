//! The page with the simulator in one file, which a browser opens from a disk.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::io::Write as _;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use flate2::Compression;
use flate2::write::GzEncoder;
use sha2::{Digest as _, Sha256};

/// Scripts and styles of the page, which are part of the document. All other files are data in it.
const SCRIPTS: [&str; 2] = ["app.js", "tab.js"];
const STYLES: [&str; 2] = ["app.css", "tab.css"];
const DOCUMENT: &str = "index.html";
/// Beginning and end of the element with the policy of the folder.
const POLICY: [&str; 2] = ["<meta http-equiv=\"Content-Security-Policy\" content=\"", "\">\n"];

/// Returns the files of the folder of `simhost page` as one document, `None` if the page is not among them. Its policy lets its own
/// scripts run, and lets nothing be loaded from elsewhere.
pub fn tab_file(files: &BTreeMap<String, Vec<u8>>) -> Option<String> {
    let text = |name: &str| String::from_utf8(files.get(name)?.clone()).ok();
    let mut page = text(DOCUMENT)?;
    for name in STYLES {
        let link = format!("<link rel=\"stylesheet\" href=\"{name}\">");
        page = page.replace(&link, &format!("<style>{}</style>", text(name)?));
    }
    let (mut scripts, mut hashes) = (String::new(), String::new());
    for name in SCRIPTS {
        page = page.replace(&format!("<script src=\"{name}\" defer></script>\n"), "");
        // a text within a script must not end it
        let script = text(name)?.replace("</script", "<\\/script").replace("<!--", "<\\!--");
        let _ = write!(hashes, "'sha256-{}' ", STANDARD.encode(Sha256::digest(&script)));
        let _ = writeln!(scripts, "<script>{script}</script>");
    }
    let is_data = |name: &&String| {
        ![DOCUMENT, SCRIPTS[0], SCRIPTS[1], STYLES[0], STYLES[1]].contains(&name.as_str())
    };
    let mut data = String::new();
    for name in files.keys().filter(is_data) {
        let packed = STANDARD.encode(packed(&files[name]));
        let path = name.replace('&', "&amp;").replace('"', "&quot;");
        let _ =
            writeln!(data, "<script type=\"text/plain\" data-path=\"{path}\">{packed}</script>");
    }
    let (before, policy) = page.split_once(POLICY[0])?;
    let (of_folder, after) = policy.split_once(POLICY[1])?;
    // scripts within scripts, which start frames
    for hash in of_folder.split(' ').filter(|word| word.starts_with("'sha256-")) {
        let _ = write!(hashes, "{hash} ");
    }
    let (body, end) = after.split_once("</body>")?;
    let policy = format!(
        "default-src 'none'; script-src {hashes}'wasm-unsafe-eval'; worker-src blob:; style-src 'unsafe-inline'; \
         img-src blob: data:; connect-src blob:; base-uri 'none'; form-action 'none'"
    );
    // the scripts begin when the body is complete
    let [open, close] = POLICY;
    Some(format!("{before}{open}{policy}{close}{body}{data}{scripts}</body>{end}"))
}

/// Returns bytes compressed with gzip. Equal bytes have equal results.
fn packed(content: &[u8]) -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::best());
    encoder.write_all(content).and_then(|()| encoder.finish()).expect("a list of bytes takes all")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_document_has_all_files_and_runs_only_its_scripts() {
        let files = [
            (
                "index.html",
                "<meta http-equiv=\"Content-Security-Policy\" content=\"old 'sha256-abc=' \">\n<link rel=\"stylesheet\" href=\"app.css\">\
                <link rel=\"stylesheet\" href=\"tab.css\"><script src=\"app.js\" defer></script>\n\
                <script src=\"tab.js\" defer></script>\n<body></body>",
            ),
            ("app.js", "first('</script>')"),
            ("tab.js", "second()"),
            ("app.css", "a {}"),
            ("tab.css", "b {}"),
            ("worlds/a.world.xml", "<mvsim_world/>"),
        ];
        let files = files.map(|(name, text)| (name.to_owned(), text.as_bytes().to_vec()));
        let page = tab_file(&BTreeMap::from(files)).unwrap();
        assert!(
            !page.contains("href=") && !page.contains("src=\"") && !page.contains("old"),
            "{page}"
        );
        let hash = STANDARD.encode(Sha256::digest("second()"));
        assert!(page.contains(&format!("'sha256-{hash}'")), "{page}");
        assert!(page.contains("'sha256-abc=' "), "{page}");
        assert!(page.contains("first('<\\/script>')"), "{page}");
        assert!(page.find("data-path=\"worlds/a.world.xml\"") < page.find("second()"));
        assert_eq!(tab_file(&BTreeMap::new()), None);
    }
}
