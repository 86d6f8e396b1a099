#![allow(clippy::unwrap_used)]

use super::*;

#[test]
fn only_regular_files_of_a_limited_size_are_read() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.txt");
    std::fs::write(&path, b"caf\xe9").unwrap();
    assert_eq!(read(&path, 4).unwrap(), b"caf\xe9");
    assert_eq!(read(&path, 3).unwrap_err().kind(), ErrorKind::FileTooLarge);
    assert_eq!(read_text(&path, 4).unwrap_err().kind(), ErrorKind::InvalidData);
    let missing = folder.path().join("b");
    assert_eq!(read(&missing, 1).unwrap_err().kind(), ErrorKind::NotFound);
    for other in [folder.path(), Path::new("/dev/zero"), Path::new("/dev/null")] {
        assert!(is_not_regular(&read(other, 1).unwrap_err()), "{}", other.display());
    }
}

#[cfg(unix)]
#[test]
fn pipes_are_refused_at_once() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("pipe");
    let made = std::process::Command::new("mkfifo").arg(&path).status().unwrap();
    assert!(made.success());
    assert!(is_not_regular(&read(&path, 1).unwrap_err()));
    for refused in [create(&path), append(&path)] {
        assert_eq!(refused.unwrap_err().kind(), ErrorKind::InvalidInput);
    }
}

#[cfg(unix)]
#[test]
fn files_below_a_folder_are_found_behind_links() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name);
    std::fs::create_dir_all(path("world/parts")).unwrap();
    for name in ["secret", "world/a.xml", "world/parts/b.xml"] {
        std::fs::write(path(name), "").unwrap();
    }
    std::os::unix::fs::symlink("../secret", path("world/link")).unwrap();
    std::os::unix::fs::symlink("..", path("world/up")).unwrap();
    let folders = [path("world")];
    for name in ["world/a.xml", "world/parts/b.xml", "world/parts/../a.xml", "world/none.xml"] {
        assert!(is_below(&path(name), &folders), "{name}");
    }
    for name in [
        "secret",
        "world/link",
        "world/../secret",
        "world/up/secret",
        "world/up/none",
        "none",
        "world/none/../../secret",
    ] {
        assert!(!is_below(&path(name), &folders), "{name}");
    }
    assert!(!is_below(Path::new("/etc/passwd"), &folders));
}

#[cfg(unix)]
#[test]
fn links_are_not_followed_when_a_file_is_created() {
    let folder = tempfile::tempdir().unwrap();
    let [target, link, fresh] = ["target", "link", "fresh"].map(|name| folder.path().join(name));
    std::fs::write(&target, "kept").unwrap();
    std::os::unix::fs::symlink(&target, &link).unwrap();
    for refused in [create(&link).err(), append(&link).err(), write(&link, "lost").err()] {
        let text = refused.unwrap().to_string();
        assert_eq!(text, "it is a symbolic link, which is not followed");
    }
    assert_eq!(std::fs::read_to_string(&target).unwrap(), "kept");
    let [folder_link, sub] = ["folder_link", "sub/folder"].map(|name| folder.path().join(name));
    std::os::unix::fs::symlink(folder.path(), &folder_link).unwrap();
    assert!(create_folder(&folder_link).is_err() && create_folder(&sub).is_ok());
    write(&fresh, "a longer text").unwrap();
    write(&fresh, "text").unwrap();
    append(&fresh).unwrap().write_all(b"\n").unwrap();
    assert_eq!(std::fs::read_to_string(&fresh).unwrap(), "text\n");
}

#[test]
fn maps_and_meshes_bring_the_files_beside_them_that_they_name() {
    let folder = tempfile::tempdir().unwrap();
    for name in ["room.png", "paint.mtl", "other.png"] {
        std::fs::write(folder.path().join(name), "").unwrap();
    }
    let named = |name: &str, text: &str| {
        let found = named_beside(&folder.path().join(name), text.as_bytes());
        let names = found.iter().map(|path| path.file_name().unwrap().to_str().unwrap().to_owned());
        names.collect::<Vec<_>>()
    };
    for ending in ["yaml", "yml", "YAML", "obj"] {
        let text = "image: room.png\nmtllib paint.mtl\nmissing.png\n";
        assert_eq!(named(&format!("a.{ending}"), text), ["paint.mtl", "room.png"], "{ending}");
    }
    // the reader of worlds knows what XML names
    assert!(named("a.xml", "room.png").is_empty());
    // a file that names itself
    assert!(named("paint.mtl", "paint.mtl").is_empty());
}
