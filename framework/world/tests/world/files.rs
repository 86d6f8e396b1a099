//! Malformed, truncated and hostile files, and optional folders of existing worlds.

use crate::{Catalogue, compat, errors, folder, warnings, world, world_with};
use simhost_world::{LoadOptions, load};

const WORLD: &str = "\u{feff}<?xml version=\"1.0\"?>\r\n<!-- before the root -->\r\n\
    <mvsim_world version=\"1.0\">\r\n  <duration>5</duration>\r\n  <vehicle name=\"r&amp;1\">\r\n\
    <init_pose>1 2 90</init_pose><dynamics class=\"differential\"><chassis mass=\"3\"/>\
    <controller class=\"twist_pid\"><KP>2</KP></controller></dynamics>\
    <friction class=\"default\"><mu>$f{0.5+0.2}</mu></friction></vehicle>\r\n</mvsim_world>\r\n";

#[test]
fn byte_order_marks_and_carriage_returns_are_accepted() {
    let loaded = world(WORLD).unwrap();
    assert_eq!(loaded.world.vehicles[0].name, "r&1");
    assert!(loaded.warnings.is_empty(), "{}", warnings(&loaded));
}

#[test]
fn truncated_files_are_errors_and_never_panic() {
    let whole = WORLD.trim_end();
    for end in 0..whole.len() {
        let Some(cut) = whole.get(..end) else { continue };
        let text = errors(world(cut));
        assert!(text.contains("error"), "{end}: {text}");
    }
}

#[test]
fn changed_bytes_never_panic() {
    for at in 0..WORLD.len() {
        for byte in [b'<', b'>', b'&', b'"', b'$', b'{', b'\0', b'/'] {
            let mut bytes = WORLD.as_bytes().to_vec();
            bytes[at] = byte;
            if let Ok(text) = std::str::from_utf8(&bytes) {
                let _ = world(text).map_err(|error| error.to_string());
            }
        }
    }
}

#[test]
fn recoverable_syntax_errors_are_warnings() {
    let loaded = world(
        "<mvsim_world><variable name=\"a\" value=\"$f{1<2}\"/><duration>${a}</duratoin></mvsim_world>",
    )
    .unwrap();
    assert_eq!(loaded.world.settings.duration, Some(1.0));
    let text = warnings(&loaded);
    assert!(text.contains("`</duratoin>` closes `<duration>`"), "{text}");
    assert!(text.contains("raw `<`"), "{text}");
}

#[test]
fn several_roots_in_an_included_file_are_a_warning() {
    let files = [("a.xml", "<!-- x --><duration>3</duration><gravity>1</gravity>")];
    let text = "<mvsim_world><include file=\"a.xml\"/></mvsim_world>";
    let loaded = world_with(text, &files, &LoadOptions::default()).unwrap();
    assert_eq!(loaded.world.settings.gravity, 1.0);
    assert!(warnings(&loaded).contains("second root"));
}

#[test]
fn deep_nesting_and_very_long_names_are_refused() {
    let deep = "<a>".repeat(100_000);
    assert!(errors(world(&deep)).contains("nested more than"));
    let circle = "<mvsim_world><variable name=\"a\" value=\"1\"/><include file=\"b.xml\" b=\"$f{1}\"/>\
        </mvsim_world>";
    let files = [("b.xml", "<duration>${c|${c|${c|${b}}}}</duration>")];
    let loaded = world_with(circle, &files, &LoadOptions::default()).unwrap();
    assert_eq!(loaded.world.settings.duration, Some(1.0));
}

#[test]
fn an_include_of_itself_is_reported() {
    let text = "<mvsim_world><include file=\"a.xml\"/></mvsim_world>";
    let files = [("a.xml", "<include file=\"b.xml\"/>"), ("b.xml", "<include file=\"./a.xml\"/>")];
    let text = errors(world_with(text, &files, &LoadOptions::default()));
    assert!(text.contains("includes itself"), "{text}");
}

#[test]
fn errors_name_missing_and_unreadable_files() {
    let text = errors(world("<mvsim_world>\n <include file=\"none.xml\"/>\n</mvsim_world>"));
    assert!(text.contains("cannot read") && text.contains("world.xml:2:17"), "{text}");
    let folder = errors(world("<mvsim_world><include file=\"/dev/zero\"/></mvsim_world>"));
    assert!(folder.contains("not a regular file"), "{folder}");
}

/// Loads `*/world.xml` below the folder that `SIMHOST_WORLDS` names, if it is set.
#[test]
fn existing_worlds_load() {
    let Some(folder) = folder("SIMHOST_WORLDS") else { return };
    let mut count = 0;
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path().join("world.xml");
        for options in [LoadOptions::default(), compat()] {
            let loaded = load(&path, &options, &Catalogue::new());
            let loaded = loaded.unwrap_or_else(|error| panic!("{error}"));
            assert!(loaded.warnings.is_empty(), "{}", warnings(&loaded));
        }
        count += 1;
    }
    assert!(count > 0);
}

/// Loads `*.world.xml` in the folder that `SIMHOST_WORLD_FILES` names, if it is set.
#[test]
fn existing_world_files_load_with_the_compatible_profile() {
    let Some(folder) = folder("SIMHOST_WORLD_FILES") else { return };
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.extension().is_some_and(|extension| extension == "xml") {
            let loaded = load(&path, &compat(), &Catalogue::new());
            let loaded = loaded.unwrap_or_else(|error| panic!("{error}"));
            assert!(!loaded.warnings.is_empty());
        }
    }
}
