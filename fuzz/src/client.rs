//! Fragments that a client adds to a running world, with files in the folder of the world and outside.

use std::cell::RefCell;
use std::path::{Path, PathBuf};
use std::sync::LazyLock;

use simhost::{Input, Options, Session};
use simhost_world::LoadOptions;

/// Text that only files which no client may see contain.
const SECRET: &str = "secret_of_file";
/// A file that is a world fragment.
const PART: &str = "<block name='part'><init_pose>8 0 0</init_pose></block>";

/// Adds a fragment as a client does. Errors and the world must not contain text of files that the client cannot name,
/// or that are no fragments.
pub fn addition(fragment: &[u8]) {
    thread_local! {
        static SESSION: RefCell<Session> = RefCell::new(open());
    }
    let Ok(fragment) = std::str::from_utf8(fragment) else { return };
    if fragment.contains("secret") {
        return;
    }
    SESSION.with_borrow_mut(|session| {
        let input = Input::Add { fragment: fragment.to_owned(), files: Vec::new() };
        let sent = session.inputs().send(input);
        let stepped = session.run_steps(1);
        assert!(stepped.is_ok(), "the run ends: {stepped:?}");
        let names: Vec<String> = session.simulation().placeable().map(str::to_owned).collect();
        assert!(!names.iter().any(|name| name.contains("secret")), "{names:?}");
        match sent {
            Ok(()) => *session = open(),
            Err(error) => assert!(!error.to_string().contains("secret"), "{error}"),
        }
    });
}

fn open() -> Session {
    static WORLD: LazyLock<PathBuf> = LazyLock::new(|| write().expect("the folder is writable"));
    let mut load = LoadOptions::default();
    load.limits.elements = 5000;
    load.asset_limits = crate::limits();
    let options = Options { load, ..Options::default() };
    Session::open(WORLD.as_path(), options).expect("the world is correct")
}

/// Writes the files, and returns the path of the world.
fn write() -> std::io::Result<PathBuf> {
    let folder = std::env::temp_dir().join(format!("simhost-fuzz-client-{}", std::process::id()));
    let world = folder.join("world");
    std::fs::create_dir_all(world.join("parts"))?;
    let secret = format!("<block name='{SECRET}'><init_pose>4 4 0</init_pose></block>");
    let broken = format!("<block><{SECRET}/></block>");
    let text = "<mvsim_world><block name='own'><init_pose>-8 0 0</init_pose></block></mvsim_world>";
    for (name, text) in [
        ("outside.xml", secret.as_str()),
        ("world/part.xml", PART),
        ("world/broken.xml", &broken),
        ("world/parts/fragment.xml", &broken),
        ("world/text.txt", SECRET),
        ("world/a.world.xml", text),
    ] {
        std::fs::write(folder.join(name), text)?;
    }
    link(Path::new("../outside.xml"), &world.join("link.xml"))?;
    Ok(world.join("a.world.xml"))
}

#[cfg(unix)]
fn link(to: &Path, at: &Path) -> std::io::Result<()> {
    let _ = std::fs::remove_file(at);
    std::os::unix::fs::symlink(to, at)
}

#[cfg(not(unix))]
fn link(_: &Path, _: &Path) -> std::io::Result<()> {
    Ok(())
}
