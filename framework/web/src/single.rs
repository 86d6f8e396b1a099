//! The page with a recording in one file.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use simhost_streams::SessionHost as _;

use crate::TEXTS;
use crate::library::WorldLibrary;

/// Returns the page with a recording and all meshes of its world in one file, which opens without a server. Returns
/// `None` in programs without the page.
pub fn single_file(name: &str, recording: &[u8], library: &WorldLibrary) -> Option<String> {
    let [page, script, style] = TEXTS?;
    let data =
        |id: &str, text: &str| format!("<script type=\"text/plain\" id=\"{id}\">{text}</script>\n");
    let mut parts = data("recording", &STANDARD.encode(recording));
    if let Ok(text) = library.describe() {
        // a text within a script must not end it
        parts += &data("describe", &STANDARD.encode(text));
        for asset in library.names() {
            if let Some(content) = library.asset(&asset) {
                parts += &data(&format!("asset-{asset}"), &STANDARD.encode(content));
            }
        }
    }
    let script = script.replace("</script", "<\\/script").replace("<!--", "<\\!--");
    let title = name.replace('&', "&amp;").replace('<', "&lt;");
    let page = page
        .replace("<title>simhost</title>", &format!("<title>{title} · simhost</title>"))
        .replace("<link rel=\"stylesheet\" href=\"app.css\">", &format!("<style>{style}</style>"));
    let (before, after) = page.split_once("<script src=\"app.js\" defer></script>")?;
    // the script begins when the body is complete
    let (body, end) = after.split_once("</body>")?;
    Some(format!("{before}{body}{parts}<script>{script}</script></body>{end}"))
}
