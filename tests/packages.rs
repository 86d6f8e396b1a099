//! Packages of plugins: `plugin pack`, `install` and `remove`.

use std::path::PathBuf;
use std::process::{Command, Output};

use crate::support::projects;

/// A user with separate folders, in which a friction model in C is built.
struct User {
    folder: tempfile::TempDir,
}

impl User {
    fn new() -> Self {
        let user = Self { folder: tempfile::tempdir().unwrap() };
        user.done(&[
            "plugin", "new", "magic", "--kind", "friction", "--lang", "c", "--vendor", "acme",
        ]);
        let words =
            ["-std=c99", "-Iinclude", "-shared", "-fPIC", "model.c", "-o", "libmagic.so", "-lm"];
        let built = Command::new("cc").args(words).current_dir(user.path("magic")).status();
        assert!(built.unwrap().success());
        user
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    fn run(&self, arguments: &[&str]) -> Output {
        let mut command = Command::new(env!("CARGO_BIN_EXE_simhost"));
        command.args(arguments).current_dir(self.folder.path());
        command.env("XDG_DATA_HOME", self.path("data")).env("XDG_CACHE_HOME", self.path("cache"));
        command.output().unwrap()
    }

    fn done(&self, arguments: &[&str]) -> String {
        let output = self.run(arguments);
        let text = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(output.status.success(), "{arguments:?}: {text}");
        String::from_utf8(output.stdout).unwrap()
    }

    fn refused(&self, arguments: &[&str]) -> String {
        let output = self.run(arguments);
        assert!([Some(12), Some(13)].contains(&output.status.code()), "{arguments:?}");
        String::from_utf8(output.stderr).unwrap()
    }
}

const LIBRARY: &str = "magic/libmagic.so";
const WORLD: &str = "magic/magic.world.xml";

#[test]
fn a_plugin_travels_as_one_file() {
    let user = User::new();
    // a library for another processor
    let mut bytes = std::fs::read(user.path(LIBRARY)).unwrap();
    bytes[18] = if bytes[18] == 0xb7 { 0x3e } else { 0xb7 };
    std::fs::create_dir(user.path("other")).unwrap();
    std::fs::write(user.path("other/libmagic.so"), bytes).unwrap();

    let licence = projects::root().join("LICENSE-MIT");
    let licence = licence.to_str().unwrap();
    let pack =
        ["plugin", "pack", LIBRARY, "other/libmagic.so", "--world", WORLD, "--licence", licence];
    let text = user.done(&pack);
    for part in
        ["acme.magic-0.1.0.simplugin", "for simhost 0.1", "docs/friction.magic.md", "LICENSE-MIT"]
    {
        assert!(text.contains(part), "{part} in {text}");
    }
    let package = "acme.magic-0.1.0.simplugin";
    let first = std::fs::read(user.path(package)).unwrap();
    user.done(&pack);
    assert!(first == std::fs::read(user.path(package)).unwrap(), "the same bytes");

    // the world runs without its plugin's folder when the package is installed
    let needs = |version: &str| {
        let text = std::fs::read_to_string(user.path(WORLD)).unwrap();
        let (start, rest) = text.split_once("<mvsim_world version=\"1.0\">").unwrap();
        let require = format!("<require plugin=\"acme/magic\" version=\"{version}\"/>");
        let text = format!("{start}<mvsim_world version=\"1.0\">{require}{rest}");
        std::fs::write(user.path("needs.world.xml"), text).unwrap();
        ["check", "needs.world.xml"]
    };
    let missing = user.refused(&needs("0.1"));
    assert!(
        missing.contains("missing plugin `acme/magic`") && missing.contains("plugin install"),
        "{missing}"
    );
    let run = ["run", WORLD, "--duration", "0.1"];
    assert!(user.refused(&run).contains("magic"));
    let text = user.done(&["plugin", "install", package]);
    assert!(text.contains("acme.magic.so") && text.contains("try it with"), "{text}");
    user.done(&run);
    assert!(user.done(&["plugin", "install", package]).contains("installed already"));
    assert!(user.done(&["plugin", "list"]).contains("acme/magic"));
    user.done(&needs("0.1"));
    user.done(&needs(">=0.0.3, <2"));
    let old = user.refused(&needs("0.2"));
    assert!(
        old.contains("found 0.1.0") && old.contains("0.2 or a compatible later version"),
        "{old}"
    );
    assert!(user.refused(&needs("banana")).contains("invalid version of a plugin"));

    assert!(user.refused(&["plugin", "remove", "acme/magi"]).contains("installed are: acme/magic"));
    assert!(user.done(&["plugin", "remove", "acme/magic"]).contains("removed acme/magic 0.1.0"));
    user.refused(&run);
    assert!(user.refused(&["plugin", "remove", "acme/magic"]).contains("no package is installed"));
    for outside in ["../data/simhost", "acme/..", "a"] {
        user.refused(&["plugin", "remove", outside]);
    }
}

#[test]
fn a_package_needs_a_library_for_this_program() {
    let user = User::new();
    let failure = user.refused(&["plugin", "pack", LIBRARY, LIBRARY]);
    assert!(failure.contains("another library is for"), "{failure}");
    let failure = user.refused(&["plugin", "pack", WORLD]);
    assert!(failure.contains("does not end in .so"), "{failure}");
    let failure = user.refused(&["plugin", "install", WORLD]);
    assert!(failure.contains("not a package of a plugin"), "{failure}");
    // a file that no package has installed is not lost
    std::fs::create_dir_all(user.path("data/simhost/plugins")).unwrap();
    std::fs::write(user.path("data/simhost/plugins/acme.magic.so"), "mine").unwrap();
    user.done(&["plugin", "pack", LIBRARY]);
    let failure = user.refused(&["plugin", "install", "acme.magic-0.1.0.simplugin"]);
    assert!(failure.contains("nothing was changed"), "{failure}");
    assert_eq!(
        std::fs::read_to_string(user.path("data/simhost/plugins/acme.magic.so")).unwrap(),
        "mine"
    );
}

#[test]
fn a_module_in_a_package_needs_a_program_that_runs_modules() {
    let user = User::new();
    std::fs::write(user.path("magic.wasm"), b"\0asm\x01\0\0\0").unwrap();
    let words = ["plugin", "pack", LIBRARY, "magic.wasm", "--out", "magic.simplugin"];
    if cfg!(feature = "sandbox") {
        assert!(user.refused(&words).contains("magic.wasm: it"));
        return;
    }
    let packed = user.done(&words);
    assert!(packed.contains("lib/1/magic.wasm  WebAssembly"), "{packed}");
    let refused = user.run(&["plugin", "install", "magic.simplugin", "--module"]);
    let text = String::from_utf8_lossy(&refused.stderr);
    assert_eq!(refused.status.code(), Some(2), "{text}");
    assert!(text.contains("--features sandbox"), "{text}");
    user.done(&["plugin", "install", "magic.simplugin"]);
    user.done(&["plugin", "pack", LIBRARY, "--out", "native.simplugin"]);
    let text = user.refused(&["plugin", "install", "native.simplugin", "--module"]);
    assert!(text.contains("acme/magic has no WebAssembly module"), "{text}");
}
