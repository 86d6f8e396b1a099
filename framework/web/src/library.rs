//! The answers to the questions of clients about a world.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::mpsc::Sender;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, mpsc};
use std::time::Duration;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use simhost_streams::{SessionHost, SessionRequest};
use simhost_world::World;

use crate::describe::{Source, describe};
use crate::{TEXTS, assets};

/// Returns the present world, if there is one.
type Present = dyn Fn() -> Option<Arc<World>> + Send + Sync;

type Asked = Mutex<Sender<SessionQuestion>>;

/// Time within which the session carries a request out.
const PATIENCE: Duration = Duration::from_secs(15);

/// A request to the thread that steps the session, with the way to answer it.
pub struct SessionQuestion {
    /// The request.
    pub request: SessionRequest,
    /// Takes the message for the client, or the reason for which there is none.
    pub reply: Sender<Result<String, String>>,
}

/// Answers the questions of clients about a world.
pub struct WorldLibrary {
    present: Box<Present>,
    recording: Option<PathBuf>,
    asked: Option<Asked>,
    /// Called after each request to the session.
    wake: Box<dyn Fn() + Send + Sync>,
    /// What the assets of the last description are read from, and their contents once they have been.
    known: Mutex<BTreeMap<String, Known>>,
}

enum Known {
    Source(Source),
    Content(Arc<[u8]>),
}

impl WorldLibrary {
    /// Describes the world that a function returns.
    pub fn new(present: impl Fn() -> Option<Arc<World>> + Send + Sync + 'static) -> Self {
        Self {
            present: Box::new(present),
            recording: None,
            asked: None,
            wake: Box::new(|| {}),
            known: Mutex::default(),
        }
    }

    /// Passes on requests that the session itself handles, and calls `wake` after each.
    #[must_use]
    pub fn with_session(
        self,
        asked: Sender<SessionQuestion>,
        wake: impl Fn() + Send + Sync + 'static,
    ) -> Self {
        Self { asked: Some(Mutex::new(asked)), wake: Box::new(wake), ..self }
    }

    /// Offers a recording of the world.
    #[must_use]
    pub fn with_recording(self, recording: PathBuf) -> Self {
        Self { recording: Some(recording), ..self }
    }

    fn known(&self) -> MutexGuard<'_, BTreeMap<String, Known>> {
        self.known.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Returns the names of all assets of the last description.
    pub fn names(&self) -> Vec<String> {
        self.known().keys().cloned().collect()
    }
}

impl SessionHost for WorldLibrary {
    fn describe(&self) -> Result<String, String> {
        let world = (self.present)().ok_or("the world of this run is not known")?;
        let (description, sources) = describe(&world);
        let mut known = self.known();
        for (name, source) in sources {
            known.entry(name).or_insert(Known::Source(source));
        }
        Ok(description.to_string())
    }

    fn asset(&self, name: &str) -> Option<Arc<[u8]>> {
        let source = match self.known().get(name)? {
            Known::Content(content) => return Some(content.clone()),
            Known::Source(source) => source.clone(),
        };
        let read = match &source {
            Source::Mesh(visual) => match visual.read_mesh()? {
                Ok(mesh) => Ok(assets::of_mesh(&mesh)),
                Err(error) => Err(error.to_string()),
            },
            Source::Sky(skybox, side) => match skybox.read_images() {
                Ok(images) => Ok(assets::of_image(images.get(*side)?.as_ref()?)),
                Err(error) => Err(error.to_string()),
            },
        };
        let content: Arc<[u8]> = read.ok()?.into();
        self.known().insert(name.to_owned(), Known::Content(content.clone()));
        Some(content)
    }

    fn ask(&self, request: SessionRequest) -> Result<String, String> {
        let Some(asked) = &self.asked else {
            return Err("a recorded run has no snapshots and cannot be changed".to_owned());
        };
        let (reply, answer) = mpsc::channel();
        let ended = |_| "the session has ended".to_owned();
        let asked = asked.lock().unwrap_or_else(PoisonError::into_inner).clone();
        asked.send(SessionQuestion { request, reply }).map_err(ended)?;
        (self.wake)();
        match answer.recv_timeout(PATIENCE) {
            Ok(answer) => answer,
            Err(_) => Err("the session did not answer in time".to_owned()),
        }
    }

    fn recording(&self) -> Option<&std::path::Path> {
        self.recording.as_deref()
    }
}

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
