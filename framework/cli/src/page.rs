//! `simhost page`: the simulator as a folder of static files, which runs worlds in a browser tab.

use std::collections::BTreeMap;
use std::io::Read as _;
use std::path::{Path, PathBuf};

use flate2::read::GzDecoder;
use serde::Serialize;
use simhost_registry::Catalogue;
use simhost_web::{PAGE, TAB};
use simhost_world::{LoadOptions, load};

use crate::arguments::{Models, WritePage};
use crate::process::{Code, Failure};
use crate::view::check_page;
use crate::{catalogue, new_world, terminal};

/// Name of the module in the folder.
const MODULE: &str = "simhost.wasm";
/// First bytes of a WebAssembly module.
const MAGIC: &[u8] = b"\0asm";
/// Largest module, bytes.
const MAX_MODULE_BYTES: u64 = 64 << 20;
/// End of the names of worlds.
const WORLD: &str = ".world.xml";
/// End of the names of command files, which take the place of [`WORLD`].
const COMMANDS: &str = ".commands.csv";

/// A world of the list that the page shows. Paths are relative to the folder of the worlds.
#[derive(Debug, Serialize)]
struct ListedWorld {
    /// Path of the world file.
    path: String,
    /// Paths of the files that it includes or names, and of its command file, in order.
    files: Vec<String>,
}

/// The worlds of a page and the contents of all files by path.
#[derive(Debug, Default)]
struct Worlds {
    list: Vec<ListedWorld>,
    files: BTreeMap<String, Vec<u8>>,
}

/// Writes the page with the simulator and its worlds.
pub fn write(arguments: &WritePage) -> Result<Code, Failure> {
    check_page("simhost page")?;
    let module = read_module(&arguments.module)?;
    let catalogue = catalogue::collect(&Models::default())?;
    let worlds = match &arguments.worlds {
        Some(folder) => read_worlds(folder, &catalogue)?,
        None => demo(),
    };
    let schema = compact(&simhost_world::schema::json(&catalogue)).into_bytes();
    let list = serde_json::to_vec(&worlds.list).expect("a list of texts is JSON");
    let count = worlds.list.len();
    let pages = PAGE.iter().filter(|file| file.path != "/").chain(TAB);
    let mut files: BTreeMap<String, Vec<u8>> =
        pages.map(|file| (file.path[1..].to_owned(), unpacked(file.gzip))).collect();
    files.extend([
        (MODULE.to_owned(), module),
        ("schema.json".to_owned(), schema),
        ("worlds/index.json".to_owned(), list),
    ]);
    files.extend(
        worlds.files.into_iter().map(|(path, content)| (format!("worlds/{path}"), content)),
    );
    let (out, noun) = (&arguments.out, if count == 1 { "world" } else { "worlds" });
    let wrote = format!("wrote {} with {count} {noun}", out.display());
    if out.extension().is_some_and(|extension| extension == "html") {
        let page = simhost_web::tab_file(&files).expect("the page is among its files");
        write_file(out, page.as_bytes())?;
        terminal::result(&wrote)?;
        terminal::remark("a browser can open it from a disk");
        return Ok(Code::Done);
    }
    for (path, content) in &files {
        write_file(&out.join(path), content)?;
    }
    terminal::result(&wrote)?;
    terminal::remark(&format!(
        "any web server can serve it: `python3 -m http.server --directory {}`",
        out.display()
    ));
    Ok(Code::Done)
}

/// Reads the module, or says how to build it.
fn read_module(path: &Path) -> Result<Vec<u8>, Failure> {
    let failed = |reason: String| {
        let text = format!(
            "cannot use {} as the simulator: {reason}; expected a WebAssembly module\nhelp: run \
             `framework/wasm/build.sh DIR` in a clone of the repository, and name its file with `--module DIR/simhost.wasm`",
            path.display()
        );
        Failure::new(Code::BadInput, text)
    };
    let module =
        simhost_files::read(path, MAX_MODULE_BYTES).map_err(|error| failed(error.to_string()))?;
    if module.starts_with(MAGIC) {
        Ok(module)
    } else {
        Err(failed("another kind of file".to_owned()))
    }
}

/// Returns the world that is part of the program.
fn demo() -> Worlds {
    let [(path, _), (commands, _)] = new_world::DEMO;
    let files = new_world::DEMO.map(|(name, text)| (name.to_owned(), text.as_bytes().to_vec()));
    Worlds {
        list: vec![ListedWorld { path: path.to_owned(), files: vec![commands.to_owned()] }],
        files: BTreeMap::from(files),
    }
}

/// Reads all worlds directly in a folder and the files that they refer to. A world that cannot be read without plugins
/// or other folders is left out with a remark.
fn read_worlds(folder: &Path, catalogue: &Catalogue) -> Result<Worlds, Failure> {
    let unread = |error: std::io::Error| {
        Failure::new(Code::BadInput, format!("cannot read {}: {error}", folder.display()))
    };
    let root = folder.canonicalize().map_err(unread)?;
    let entries: Result<Vec<_>, _> = root.read_dir().map_err(unread)?.collect();
    let mut paths: Vec<PathBuf> =
        entries.map_err(unread)?.iter().map(std::fs::DirEntry::path).collect();
    paths.retain(|path| path.to_string_lossy().ends_with(WORLD));
    paths.sort();
    let mut worlds = Worlds::default();
    for path in paths {
        let name = relative(&root, &path).unwrap_or_default();
        match read_world(&root, &path, catalogue) {
            Ok(mut files) => {
                let names = files.keys().filter(|file| **file != name).cloned().collect();
                worlds.files.append(&mut files);
                worlds.list.push(ListedWorld { path: name, files: names });
            }
            Err(reason) => terminal::remark(&format!("leaving out {name}: {reason}")),
        }
    }
    if worlds.list.is_empty() {
        let text =
            format!("{} has no worlds that a tab can run; expected NAME{WORLD}", folder.display());
        return Err(Failure::new(Code::BadInput, text));
    }
    Ok(worlds)
}

/// Reads a world and the files that it refers to, or returns the reason for which a tab cannot.
fn read_world(
    root: &Path,
    path: &Path,
    catalogue: &Catalogue,
) -> Result<BTreeMap<String, Vec<u8>>, String> {
    let loaded = load(path, &LoadOptions::default(), catalogue).map_err(|error| {
        let first = error.diagnostics.first().map(|found| found.message.clone());
        first.unwrap_or_else(|| "it has errors".to_owned())
    })?;
    let named = loaded.sources.paths().map(Path::to_path_buf).chain(loaded.files.iter().cloned());
    let commands = path.to_string_lossy().replace(WORLD, COMMANDS).into();
    let named = named.chain(Some(commands).filter(|path: &PathBuf| path.exists()));
    let mut waiting: Vec<PathBuf> = named.collect();
    let mut files = BTreeMap::new();
    while let Some(file) = waiting.pop() {
        let unread = |error| format!("cannot read {}: {error}", file.display());
        let found = file.canonicalize().map_err(unread)?;
        let name = relative(root, &found)
            .ok_or_else(|| format!("{} is outside of the folder", file.display()))?;
        if files.contains_key(&name) {
            continue;
        }
        let content = simhost_files::read(&found, simhost_files::MAX_DATA_BYTES).map_err(unread)?;
        waiting.extend(simhost_files::named_beside(&found, &content));
        files.insert(name, content);
    }
    Ok(files)
}

/// Returns a path below a folder with slashes.
fn relative(root: &Path, path: &Path) -> Option<String> {
    let parts = path.strip_prefix(root).ok()?.components();
    let names: Option<Vec<_>> = parts.map(|part| part.as_os_str().to_str()).collect();
    Some(names?.join("/"))
}

/// Returns a document without spaces between its parts.
fn compact(json: &str) -> String {
    let document: serde_json::Value = serde_json::from_str(json).expect("the schema is JSON");
    document.to_string()
}

/// Returns a file of the page as a server without compression sends it.
fn unpacked(gzip: &[u8]) -> Vec<u8> {
    let mut content = Vec::new();
    GzDecoder::new(gzip).read_to_end(&mut content).expect("the build script has compressed it");
    content
}

fn write_file(path: &Path, content: &[u8]) -> Result<(), Failure> {
    let folder = path.parent().unwrap_or(Path::new(""));
    std::fs::create_dir_all(folder).and_then(|()| std::fs::write(path, content)).map_err(|error| {
        Failure::new(Code::Output, format!("cannot write {}: {error}", path.display()))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn worlds(files: &[(&str, &str)]) -> Result<Worlds, Failure> {
        let parent = tempfile::tempdir().unwrap();
        let folder = parent.path().join("worlds");
        for (name, text) in files {
            write_file(&folder.join(name), text.as_bytes()).unwrap();
        }
        read_worlds(&folder, &catalogue::collect(&Models::default()).unwrap())
    }

    #[test]
    fn worlds_bring_the_files_that_they_name() {
        let found = worlds(&[
            ("b.world.xml", "<mvsim_world><include file='parts/wall.xml'/><block name='b'><init_pose>0 0 0</init_pose>\
                 <visual><model_uri>map.obj</model_uri></visual></block></mvsim_world>"),
            ("b.commands.csv", "time_s,vehicle,kind,v1\n"),
            ("parts/wall.xml", "<block name='w'><init_pose>1 2 0</init_pose></block>"),
            ("parts/other.xml", "<block name='o'><init_pose>1 2 0</init_pose></block>"),
            ("map.obj", "mtllib paint.mtl\n"),
            ("paint.mtl", "newmtl a\n"),
            ("a.world.xml", "<mvsim_world/>"),
        ])
        .unwrap();
        let of = |world: &ListedWorld| (world.path.clone(), world.files.clone());
        let list: Vec<_> = found.list.iter().map(of).collect();
        let files = ["b.commands.csv", "map.obj", "paint.mtl", "parts/wall.xml"];
        let expected = [("a.world.xml", &[][..]), ("b.world.xml", &files[..])];
        let owned = |(path, files): (&str, &[&str])| {
            (path.to_owned(), files.iter().map(|&file| file.to_owned()).collect())
        };
        assert_eq!(list, expected.map(owned));
        let names: Vec<_> = found.files.keys().map(String::as_str).collect();
        assert_eq!(
            names,
            [&["a.world.xml", "b.commands.csv", "b.world.xml"], &files[1..]].concat()
        );
    }

    #[test]
    fn worlds_that_a_tab_cannot_read_are_left_out() {
        let bad = [
            ("plugin.world.xml", "<mvsim_world><require plugin='acme/magic'/></mvsim_world>"),
            ("outside.world.xml", "<mvsim_world><include file='../outside.xml'/></mvsim_world>"),
            ("../outside.xml", "<block name='w'><init_pose>1 2 0</init_pose></block>"),
        ];
        assert!(worlds(&bad).unwrap_err().text.contains("has no worlds that a tab can run"));
        let good = ("good.world.xml", "<mvsim_world/>");
        let found = worlds(&[bad[0], bad[1], bad[2], good]).unwrap();
        assert_eq!(found.list.len(), 1);
        assert_eq!(found.files.len(), 1);
    }

    #[test]
    fn a_missing_or_wrong_module_says_how_to_build_one() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("simhost.wasm");
        assert!(read_module(&path).unwrap_err().text.contains("framework/wasm/build.sh"));
        std::fs::write(&path, b"\x7fELF").unwrap();
        assert!(read_module(&path).unwrap_err().text.contains("another kind of file"));
        std::fs::write(&path, b"\0asm\x01\0\0\0").unwrap();
        assert_eq!(read_module(&path).unwrap().len(), 8);
    }
}
