//! `simhost plugin list`, `info` and `doc`, with valid and invalid plugins.

use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use serde_json::Value;
use simhost_abi::{Kind, Scope, port_flag};
use simhost_model::ModelRef;
use simhost_registry::{Catalogue, FileState, FolderSource, Library, Options, PluginFolder, Trial};

use crate::support::runs::catalogue_of as catalogue;
use crate::support::world::{World, differential};
use crate::support::{
    OPTIMISED, Outcome, SIMHOST, Workspace, assert_parts,
    bad_plugins::{self, build, library_name, patched},
};

/// Macro of a plugin that crashes while it is loaded.
const CRASH: &str = "ON_LOAD=*(volatile int*)0=1";

/// Returns a world whose only vehicle has this friction class.
fn world(friction: &str) -> World {
    let robot = differential().pose(0, 0, 0).friction(friction);
    World::new().set("duration", 0.1).vehicle("v", robot)
}

/// Returns a workspace with a world that uses the class `magic`, and the folder `plugins`.
fn workspace() -> Workspace {
    let workspace = world("magic").workspace();
    std::fs::create_dir(workspace.path("plugins")).unwrap();
    workspace
}

fn list_plugins(workspace: &Workspace) -> Value {
    let outcome = workspace.run(&["plugin", "list", "--json", "--plugin-dir", "plugins"]);
    assert_eq!(outcome.code, 0, "{}", outcome.stderr);
    serde_json::from_str(&outcome.stdout).unwrap()
}

/// Returns the state, the reason and the remarks of a file.
fn of_file(listing: &Value, name: &str) -> (String, String, String) {
    let wanted = library_name(name);
    let file = listing["files"].as_array().unwrap().iter().find(|file| {
        file["file"].as_str().is_some_and(|file| file.ends_with(&format!("/{wanted}")))
    });
    let file = file.unwrap_or_else(|| panic!("no {wanted} in {listing:#}"));
    let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    (text(&file["state"]), text(&file["why"]), file["remarks"].to_string())
}

/// Returns the state of a file, and why it is not used.
fn refusal(catalogue: &Catalogue, name: &str) -> (FileState, String) {
    let wanted = library_name(name);
    let is_wanted =
        |library: &&Library| library.file.as_ref().is_some_and(|file| file.ends_with(&wanted));
    let library = catalogue.libraries().iter().find(is_wanted).unwrap();
    (library.state(), library.refusal.as_ref().unwrap().to_string())
}

/// Returns the state of each class with this full name.
fn states(catalogue: &Catalogue, full_name: &str) -> Vec<FileState> {
    let entries = catalogue.entries().iter().filter(|entry| entry.full_name() == full_name);
    entries.map(|entry| catalogue.state(entry)).collect()
}

#[track_caller]
fn assert_says(outcome: &Outcome, code: i32, parts: &[&str]) {
    assert_eq!(outcome.code, code, "{}{}", outcome.stdout, outcome.stderr);
    for part in parts {
        let all = outcome.stderr.split_whitespace().collect::<Vec<_>>().join(" ");
        assert!(all.contains(part), "no `{part}` in:\n{}", outcome.stderr);
    }
}

#[test]
fn the_order_of_the_search_is_told_and_kept() {
    let workspace = workspace();
    for (folder, class) in [("given", "a"), ("path", "b"), ("data/simhost/plugins", "c")] {
        let macros = [format!("CLASS=\"{class}\""), format!("NAME=\"{class}\"")];
        build(&workspace.path(folder), class, &macros.each_ref().map(String::as_str));
    }
    let mut command = workspace.command();
    command.env("SIMHOST_PLUGIN_PATH", "path");
    let output =
        command.args(["plugin", "list", "--json", "--plugin-dir", "given"]).output().unwrap();
    let listing: Value = serde_json::from_slice(&output.stdout).unwrap();
    let sources = |list: &Value| -> Vec<String> {
        let mut all: Vec<String> =
            list.as_array().unwrap().iter().map(|row| row["source"].to_string()).collect();
        all.dedup();
        all
    };
    let order = ["\"--plugin-dir\"", "\"SIMHOST_PLUGIN_PATH\"", "\"user folder\"", "\"built-in\""];
    assert_eq!(sources(&listing["searched"]), order);
    assert_eq!(sources(&listing["classes"]), order);
    let row = &listing["classes"][0];
    assert_eq!(row["class"], "a");
    assert_eq!(row["full_name"], "acme/a");
    assert_eq!((&row["kind"], &row["version"]), (&"friction".into(), &"1.0.0".into()));
    assert_eq!((&row["epoch"], &row["state"]), (&1.into(), &"loaded".into()));
    // as text: all sources are printed, including those that are not given
    let text = workspace.run(&["plugin", "list"]).stdout;
    for part in ["--plugin-dir", "SIMHOST_PLUGIN_PATH  not given", "acme/c", "simhost/ellipse"] {
        assert!(text.contains(part), "{text}");
    }
}

/// Returns the models of a folder, whose unknown files the program tries for at most this time.
fn tried(folder: &Path, limit: Duration, rescan: bool) -> Catalogue {
    let trial = Trial {
        program: SIMHOST.into(),
        arguments: ["plugin", "probe", "--"].map(Into::into).to_vec(),
        limit,
        memory: Some(folder.with_extension("memory")),
        rescan,
        stop: Arc::default(),
    };
    let folder = PluginFolder { path: folder.to_owned(), source: FolderSource::PluginDir };
    let options = Options { folders: vec![folder], trial: Some(trial), ..Options::default() };
    Catalogue::collect(options).unwrap()
}

#[test]
fn a_file_that_ends_the_process_is_quarantined_and_the_scan_goes_on() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path().join("plugins");
    for (name, on_load) in [
        ("aborts", "ON_LOAD=fputs(\"oh no\\n\",stderr);abort()"),
        ("crashes", CRASH),
        ("exits", "ON_LOAD=exit(3)"),
        ("leaves", "ON_LOAD=_exit(0)"),
        ("ends_badly", "ON_END=abort()"),
    ] {
        build(&folder, name, &[on_load, &format!("NAME=\"{name}\"")]);
    }
    build(&folder, "good", &[]);
    let collect = || tried(&folder, Duration::from_secs(60), false);
    let found = collect();
    for (name, reason) in [
        ("aborts", "crashed (SIGABRT) while it was loaded (last output: oh no)"),
        ("crashes", "crashed (SIGSEGV)"),
        ("exits", "ended the process (exit code 3)"),
        ("leaves", "ended the process (exit code 0)"),
        ("ends_badly", "crashed (SIGABRT)"),
    ] {
        let (state, why) = refusal(&found, name);
        assert_eq!(state, FileState::Quarantined, "{name}");
        assert!(why.contains(reason) && why.contains("--rescan"), "{name}: {why}");
    }
    assert_eq!(states(&found, "acme/magic"), [FileState::Loaded]);
    // a changed file is tried again
    build(&folder, "crashes", &["NAME=\"crashes\"", "CLASS=\"cured\""]);
    assert_eq!(states(&collect(), "acme/cured"), [FileState::Loaded]);
}

#[test]
fn a_file_that_hangs_costs_its_time_once() {
    let folder = tempfile::tempdir().unwrap();
    let flag = folder.path().join("hang");
    let folder = folder.path().join("plugins");
    build(&folder, "good", &[]);
    // each attempt to load it adds a character to the file
    let on_load = format!(
        "ON_LOAD=FILE*f=fopen(\"{}\",\"r+\");if(f){{fseek(f,0,SEEK_END);fputs(\"x\",f);fclose(f);sleep(60);}}",
        flag.display()
    );
    let macros = [on_load.as_str(), "NAME=\"hangs\"", "CLASS=\"hung\""];
    build(&folder, "hangs", &macros);
    std::fs::write(&flag, "").unwrap();
    let collect = |rescan: bool| tried(&folder, Duration::from_secs(1), rescan);
    let found = collect(false);
    let (state, why) = refusal(&found, "hangs");
    assert_eq!(state, FileState::Quarantined);
    assert!(why.contains("did not respond within 1 s"), "{why}");
    assert_eq!(states(&found, "acme/magic"), [FileState::Loaded]);
    assert_eq!(std::fs::read_to_string(&flag).unwrap(), "x");
    assert_eq!(refusal(&collect(false), "hangs").0, FileState::Quarantined);
    assert_eq!(std::fs::read_to_string(&flag).unwrap(), "x", "it was tried again");
    // the file itself did not change, so that a new trial must be requested
    std::fs::remove_file(&flag).unwrap();
    assert_eq!(refusal(&collect(false), "hangs").0, FileState::Quarantined);
    assert_eq!(states(&collect(true), "acme/hung"), [FileState::Loaded]);
}

#[test]
fn a_file_is_tried_once_where_that_can_be_remembered() {
    let workspace = workspace();
    let log = workspace.path("log");
    let on_load =
        format!("ON_LOAD=FILE*f=fopen(\"{}\",\"a\");fputs(\"x\",f);fclose(f)", log.display());
    build(&workspace.path("plugins"), "counts", &[&on_load]);
    let loads = || std::fs::read(&log).unwrap().len();
    list_plugins(&workspace);
    assert_eq!(loads(), 2, "once tried, once loaded");
    list_plugins(&workspace);
    assert_eq!(loads(), 3, "known");
    // a file in place of the folder, so that it cannot be created
    let run = || {
        let mut command = workspace.command();
        command.env("XDG_CACHE_HOME", workspace.path("world.xml"));
        command.args(["plugin", "list", "--json", "--plugin-dir", "plugins"]).output().unwrap()
    };
    assert!(run().status.success() && run().status.success());
    assert_eq!(loads(), 7, "tried each time");
}

#[test]
fn what_a_plugin_prints_stays_out_of_the_results() {
    let workspace = workspace();
    let on_load = "ON_LOAD=printf(\"buy tyres\\nnow\\n\")";
    build(&workspace.path("plugins"), "prints", &[on_load]);
    build(
        &workspace.path("plugins"),
        "threads",
        &["ON_LOAD=begin_thread()", "NAME=\"threads\"", "CLASS=\"t\""],
    );
    build(&workspace.path("plugins"), "crashes", &[CRASH, "NAME=\"crashes\""]);
    let listing = list_plugins(&workspace);
    assert_eq!(of_file(&listing, "crashes").0, "quarantined");
    let (state, _, remarks) = of_file(&listing, "prints");
    assert_eq!(state, "loaded");
    assert!(remarks.contains("prints while it is loaded: `buy tyres`, 2 lines"), "{remarks}");
    if cfg!(target_os = "linux") {
        let (_, _, remarks) = of_file(&listing, "threads");
        assert!(remarks.contains("starts a thread"), "{remarks}");
    }
    for arguments in [
        &["world.xml", "--plugin-dir", "plugins"][..],
        &["schema", "--json", "--plugin-dir", "plugins"],
    ] {
        let outcome = workspace.run(arguments);
        assert_eq!(outcome.code, 0, "{}", outcome.stderr);
        assert!(!outcome.stdout.contains("buy tyres"), "{}", outcome.stdout);
        assert_parts(&outcome.stderr, &["buy tyres", "crashes.so: it is quarantined"]);
    }
}

#[test]
#[cfg(target_os = "linux")]
fn files_that_are_no_library_of_this_platform_say_what_they_are() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let good = build(folder, "good", &[]);
    // e_machine is at 18, e_ident[EI_CLASS] at 4
    let other: u16 = if cfg!(target_arch = "x86_64") { 183 } else { 62 };
    patched(&good, "machine", 18, &other.to_le_bytes());
    patched(&good, "executable", 16, &0xffff_u16.to_le_bytes());
    let whole = std::fs::read(&good).unwrap();
    let write = |name: &str, bytes: &[u8]| {
        std::fs::write(folder.join(library_name(name)), bytes).unwrap();
    };
    write("cut", &whole[..whole.len() - 100]);
    write("stub", &whole[..40]);
    write("text", b"#!/bin/sh\necho no\n");
    write("empty", b"");
    write("noise", &[0x9c; 300]);
    write("bits", &elf_32());
    write("windows", &pe());
    write("mac", &mach_o());
    std::os::unix::fs::symlink("nowhere", folder.join(library_name("dangling"))).unwrap();
    let catalogue = catalogue(&[folder]);
    let ours = format!("expected an ELF library (Linux) for {}", std::env::consts::ARCH);
    let theirs = if cfg!(target_arch = "x86_64") { "aarch64" } else { "x86_64" };
    for (name, parts) in [
        ("machine", &[theirs, &ours][..]),
        ("bits", &["32 bits", &ours]),
        ("windows", &["PE", "Windows", &ours]),
        ("mac", &["Mach-O", "macOS", &ours]),
        ("cut", &["cut short", &whole.len().to_string()]),
        ("stub", &["cut short"]),
        ("text", &["a text that starts with `#!/bin/sh`"]),
        ("empty", &["the file is empty"]),
        ("noise", &["its format is unknown"]),
        ("dangling", &["a symbolic link to nowhere"]),
    ] {
        let (state, why) = refusal(&catalogue, name);
        assert_eq!(state, FileState::Skipped, "{name}");
        for part in parts {
            assert!(why.contains(part), "{name}: no `{part}` in: {why}");
        }
    }
    assert_eq!(states(&catalogue, "acme/magic"), [FileState::Loaded]);
}

/// File headers of other platforms.
fn elf_32() -> Vec<u8> {
    let mut bytes = vec![0; 64];
    bytes[..7].copy_from_slice(b"\x7fELF\x01\x01\x01");
    // type library (3), machine Intel 80386 (3), version 1, header of 52 bytes
    bytes[16] = 3;
    bytes[18] = 3;
    bytes[20] = 1;
    bytes[40] = 52;
    bytes
}

fn pe() -> Vec<u8> {
    let mut bytes = vec![0; 512];
    bytes[..2].copy_from_slice(b"MZ");
    bytes[0x3c] = 0x80;
    bytes[0x80..0x84].copy_from_slice(b"PE\0\0");
    // machine x86-64, an optional header of 240 bytes, a library
    bytes[0x84..0x86].copy_from_slice(&0x8664_u16.to_le_bytes());
    bytes[0x94..0x98].copy_from_slice(&[240, 0, 0x22, 0x20]);
    bytes[0x98..0x9a].copy_from_slice(&0x20b_u16.to_le_bytes());
    bytes
}

fn mach_o() -> Vec<u8> {
    let mut bytes = vec![0; 32];
    bytes[..4].copy_from_slice(&0xfeed_facf_u32.to_le_bytes());
    bytes[4..8].copy_from_slice(&0x0100_000c_u32.to_le_bytes());
    bytes[12] = 6;
    bytes
}

#[test]
fn folders_that_cannot_be_read_say_who_named_them() {
    let workspace = workspace();
    for verb in [&["world.xml"][..], &["plugin", "list"]] {
        let with = |folder: &str| {
            let all: Vec<&str> = verb.iter().copied().chain(["--plugin-dir", folder]).collect();
            workspace.run(&all)
        };
        assert_says(&with("nowhere"), 12, &["nowhere", "--plugin-dir", "does not exist"]);
        assert_says(&with("world.xml"), 12, &["it is a file, expected a directory"]);
    }
    let mut command = workspace.command();
    let output = command.env("SIMHOST_PLUGIN_PATH", "gone").args(["plugin", "list"]).output();
    let output = output.unwrap();
    let text = String::from_utf8(output.stderr).unwrap();
    assert!(
        text.contains("given with SIMHOST_PLUGIN_PATH") && text.contains("take it out"),
        "{text}"
    );
    // root can read everything
    let closed = workspace.path("plugins");
    let mode = |mode| {
        let permissions = std::os::unix::fs::PermissionsExt::from_mode(mode);
        std::fs::set_permissions(&closed, permissions).unwrap();
    };
    mode(0o000);
    if std::fs::read_dir(&closed).is_err() {
        let outcome = workspace.run(&["plugin", "list", "--plugin-dir", "plugins"]);
        assert_says(&outcome, 12, &["you may not list it", "chmod"]);
    }
    mode(0o755);
}

#[test]
fn of_two_versions_the_higher_wins_in_a_folder_and_the_first_folder_between_folders() {
    let folder = tempfile::tempdir().unwrap();
    let [here, there] = ["plugins", "there"].map(|name| folder.path().join(name));
    build(&here, "a_old", &["VERSION=\"1.9.0\""]);
    build(&here, "b_new", &["VERSION=\"1.10.0\""]);
    build(&here, "c_beta", &["VERSION=\"1.10.0-beta\""]);
    build(&here, "d_copy", &["VERSION=\"1.10.0\""]);
    build(&there, "newest", &["VERSION=\"2.0.0\""]);
    let catalogue = catalogue(&[&here, &there]);
    assert_eq!(states(&catalogue, "acme/magic"), [FileState::Loaded]);
    let used = catalogue.entries().iter().find(|entry| entry.class == "magic").unwrap();
    let used = catalogue.libraries()[used.library].place();
    assert!(used.contains("b_new"), "{used}");
    for (name, reason) in [
        ("a_old", "which is higher"),
        ("c_beta", "which is higher"),
        ("d_copy", "the first of two files"),
        ("newest", "its folder is searched earlier (--plugin-dir)"),
    ] {
        let (state, why) = refusal(&catalogue, name);
        assert_eq!(state, FileState::Shadowed);
        assert!(why.contains(&format!("1.10.0 ({used}")) && why.contains(reason), "{why}");
    }
}

#[test]
fn descriptors_that_break_a_rule_are_refused_with_the_rule() {
    let folder = tempfile::tempdir().unwrap();
    for (name, wrong, expected) in [
        (
            "twice",
            "PARAMS=PARAM(\"mu\",1,0,2),PARAM(\"mu\",1,0,2)",
            "friction 'magic': parameter 'mu' is declared twice",
        ),
        (
            "outside",
            "PARAMS=PARAM(\"mu\",3,0,2)",
            "parameter 'mu': its default is 3, expected at least 0 and at most 2",
        ),
        ("nan", "PARAMS=PARAM(\"mu\",0.0/0.0,0,2)", "its default is NaN"),
        ("empty_range", "PARAMS=PARAM(\"mu\",1,2,0)", "its smallest value is 2, its greatest 0"),
        ("nameless", "PARAMS=PARAM(\"\",1,0,2)", "the name of a parameter is ''"),
        ("classless", "CLASS=\"\"", "model 1: its class name is '', expected a word"),
        ("spaced", "CLASS=\"my tyre\"", "expected a word"),
        ("vendorless", "VENDOR=\"a/b\"", "the vendor is 'a/b', expected a word"),
        ("kind", "KIND=77", "its kind is 77, expected one of 1 friction, 2 dynamics"),
        (
            "phase",
            "KIND=SIMHOST_KIND_DYNAMICS",
            "expected one of the phases drive, wrench, motion; a dynamics needs drive or wrench or motion and measure, it has force",
        ),
        ("null_call", "FORCE=NULL", "phase 'force' has no function"),
        ("null_create", "CREATE=NULL", "`create` or `destroy` is null"),
        ("null_model", "MODEL=NULL", "model 1: it is null"),
        ("null_list", "PARAM_SLICE={NULL,3}", "is null and has a length of 3"),
        (
            "endless",
            "PARAM_SLICE={params,(size_t)1<<60}",
            "has 1152921504606846976 items, expected at most",
        ),
        (
            "wild",
            "PARAM_SLICE={(const simhost_param_desc*)8,1}",
            "the list of parameters is not part of the library",
        ),
        ("latin", "CLASS=\"t\\xfcre\"", "is not valid UTF-8"),
    ] {
        let refusal = bad_plugins::refusal(&build(folder.path(), name, &[wrong]));
        assert!(refusal.contains("an invalid descriptor"), "{name}: {refusal}");
        assert!(refusal.contains(expected), "{name}: {refusal}");
    }
}

#[test]
fn a_short_name_of_two_is_ambiguous_a_built_in_one_too() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    build(folder, "ours", &[]);
    build(folder, "theirs", &["VENDOR=\"zeta\""]);
    build(folder, "claims", &["NAME=\"claims\"", "CLASS=\"ellipse\""]);
    let found = catalogue(&[folder]);
    for name in ["acme/magic", "zeta/magic", "acme/ellipse", "simhost/ellipse"] {
        assert_eq!(states(&found, name), [FileState::Ambiguous], "{name}");
    }
    for (class, choice) in [
        ("magic", "write one of acme/magic, zeta/magic"),
        ("ellipse", "write one of acme/ellipse, simhost/ellipse"),
    ] {
        let errors = world(class).plugins(folder).errors();
        assert!(errors.iter().any(|error| error.text.contains(choice)), "{errors:#?}");
    }
    for class in ["zeta/magic", "simhost/ellipse", "acme/ellipse", "default"] {
        world(class).plugins(folder).run(0.1);
    }
    // a full name that is taken stays with its first owner
    build(folder, "z_again", &["NAME=\"again\""]);
    let found = catalogue(&[folder]);
    let (state, why) = refusal(&found, "z_again");
    assert!(state == FileState::Skipped && why.contains("ours") && why.contains("rename"), "{why}");
}

#[test]
fn info_tells_all_of_a_library() {
    let workspace = workspace();
    let library = build(&workspace.path("plugins"), "good", &["VERSION=\"3.2.1\""]);
    let file = library.to_str().unwrap();
    let info = |subject: &str| -> Value {
        let outcome =
            workspace.run(&["plugin", "info", subject, "--json", "--plugin-dir", "plugins"]);
        assert_eq!(outcome.code, 0, "{}", outcome.stderr);
        serde_json::from_str(&outcome.stdout).unwrap()
    };
    let page = info(file);
    assert_eq!((&page["vendor"], &page["version"]), (&"acme".into(), &"3.2.1".into()));
    assert_eq!(page["abi"]["matches"], true);
    let sum = std::process::Command::new("sha256sum").arg(&library).output().unwrap();
    let sum = String::from_utf8(sum.stdout).unwrap();
    assert_eq!(page["sha256"], sum.split(' ').next().unwrap());
    let model = &page["models"][0];
    assert_eq!(model["phases"][0]["outputs"][0]["unit"], "N");
    assert_eq!(
        (&model["parameters"][0]["default"], &model["parameters"][0]["max"]),
        (&"0.8".into(), &2.0.into())
    );
    assert_eq!(info("magic")["models"], page["models"]);
    assert_eq!(info("acme/magic")["models"], page["models"]);
    assert_eq!(info("ellipse")["file"], Value::Null);
    let text = workspace.run(&["plugin", "info", file]).stdout;
    for part in ["acme/tyres 3.2.1", "ABI epoch", "(same as this host)", "Height of the curve."] {
        assert!(text.contains(part), "no `{part}` in {text}");
    }
    // a class is shown without the other classes of its plugin, under each of its names
    let named = |page: &Value| -> Vec<String> {
        let models = page["models"].as_array().unwrap().iter();
        models.map(|model| format!("{} {}", model["kind"], model["class"])).collect()
    };
    for name in ["ackermann", "simhost/ackermann", "car_ackermann"] {
        assert_eq!(named(&info(name)), ["\"dynamics\" \"ackermann\""], "{name}");
    }
    let text = workspace.run(&["plugin", "info", "simhost/ellipse"]).stdout;
    assert!(
        text.contains("friction simhost/ellipse") && !text.contains("simhost/default"),
        "{text}"
    );
    // classes of several kinds that share a name are all shown
    let macros = ["NAME=\"pilot\"", "CLASS=\"ackermann\"", "VERSION=\"0.4.0\""];
    build(&workspace.path("plugins"), "pilot", &macros);
    let pages = info("ackermann");
    let pages: Vec<String> = pages.as_array().unwrap().iter().flat_map(&named).collect();
    assert_eq!(pages, ["\"friction\" \"ackermann\"", "\"dynamics\" \"ackermann\""]);
    let outcome = workspace.run(&["plugin", "info", "nowhere.so"]);
    assert_says(&outcome, 12, &["nowhere.so: it cannot be read"]);
}

/// Returns the examples on a page in Markdown.
fn examples(page: &str) -> impl Iterator<Item = &str> {
    page.split("```xml\n").skip(1).filter_map(|rest| rest.split("```").next())
}

/// The examples of `doc` are valid in a world, for every variant of every class.
#[test]
fn the_example_of_every_class_works() {
    let workspace = workspace();
    let folder = workspace.path("plugins");
    build(&folder, "good", &[]);
    build(&folder, "other", &["VENDOR=\"zeta\"", "CLASS=\"raw\""]);
    let catalogue = catalogue(&[&folder]);
    let entries = catalogue.entries();
    // each describes a class, and tests that are not optimised ask for a third of them
    let step = if OPTIMISED { 1 } else { 3 };
    let chosen = entries.iter().enumerate().filter(|(number, entry)| {
        // a model that reads sensors or actuators needs them in its world
        let reads = |model: &ModelRef| {
            let inputs = model.model.phases().iter().flat_map(|phase| phase.inputs());
            inputs.into_iter().any(|port| {
                Scope::from_u32(port.scope) == Scope::Array && port.flags & port_flag::OPTIONAL == 0
            })
        };
        !(entry.kind == Kind::Sensor && entry.variants.iter().any(reads))
            && (number % step == 0 || catalogue.libraries()[entry.library].file.is_some())
    });
    let mut shown = 0;
    for (_, entry) in chosen {
        let class = entry.full_name();
        let arguments = ["plugin", "doc", &class, "--markdown", "--plugin-dir", "plugins"];
        let outcome = workspace.run(&arguments);
        assert_eq!(outcome.code, 0, "{}", outcome.stderr);
        let page = outcome.stdout;
        let sections = page.lines().filter(|line| line.starts_with("# ")).count();
        assert_eq!(examples(&page).count(), sections, "{page}");
        for example in examples(&page) {
            assert!(example.contains(&entry.class), "{example}");
            // sensors without readings, and without a position on Earth, give a warning
            let reasons = ["only checked", "without a <georeference>"];
            let is_expected = |text: &String| reasons.iter().any(|reason| text.contains(reason));
            let warnings = World::new().xml(example).plugins(&folder).warnings();
            let is_right = warnings.is_empty()
                || entry.kind == Kind::Sensor && warnings.iter().any(is_expected);
            assert!(is_right, "{class}\n{example}\n{warnings:?}");
            shown += 1;
        }
        // users do not see the syntax of rustdoc
        assert!(!page.contains("[`") && !page.contains("]("), "{page}");
    }
    assert!(shown > entries.len() / step, "{shown} examples");
}

#[test]
fn the_description_says_whether_a_model_is_time_invariant() {
    let workspace = workspace();
    for (class, is_time_invariant) in [("twist_ideal", true), ("trajectory", false)] {
        let outcome = workspace.run(&["plugin", "doc", class]);
        assert_eq!(outcome.code, 0, "{}", outcome.stderr);
        assert_eq!(outcome.stdout.contains("It is time-invariant"), is_time_invariant, "{class}");
    }
}

/// Checks that all batch sizes are measured and compared, not how fast they are.
#[test]
fn bench_measures_a_class_beside_the_built_in_of_its_kind() {
    let workspace = workspace();
    let outcome = workspace.run(&["plugin", "bench", "ackermann"]);
    assert_eq!(outcome.code, 0, "{}", outcome.stderr);
    for part in ["ns per lane", "simhost/ackermann", "simhost/differential"] {
        assert!(outcome.stdout.contains(part), "no `{part}` in {}", outcome.stdout);
    }
    let outcome = workspace.run(&["plugin", "bench", "default", "--json"]);
    assert_eq!(outcome.code, 0, "{}", outcome.stderr);
    let speeds: Value = serde_json::from_str(&outcome.stdout).unwrap();
    let speed = &speeds[0];
    assert_eq!((&speed["class"], &speed["kind"]), (&"simhost/default".into(), &"friction".into()));
    let batches = speed["batches"].as_array().unwrap();
    let lanes: Vec<u64> = batches.iter().map(|batch| batch["lanes"].as_u64().unwrap()).collect();
    assert_eq!(lanes, [1, 4, 16, 128, 1024]);
    assert!(batches.iter().all(|batch| batch["ns_per_lane"].as_f64().unwrap() > 0.0), "{speeds}");
}

#[test]
fn a_class_that_is_not_there_gets_the_nearest_name() {
    let workspace = workspace();
    for verb in ["doc", "info", "bench"] {
        let outcome = workspace.run(&["plugin", verb, "twist_idael"]);
        assert_says(&outcome, 12, &["unknown class `twist_idael`", "did you mean `twist_ideal`?"]);
    }
    let outcome = workspace.run(&["plugin", "doc", "qqqqqqqq"]);
    assert_says(&outcome, 12, &["simhost plugin list"]);
    let folder = workspace.path("plugins");
    build(&folder, "ours", &[]);
    build(&folder, "theirs", &["VENDOR=\"zeta\""]);
    let outcome = workspace.run(&["plugin", "doc", "magic", "--plugin-dir", "plugins"]);
    assert_says(&outcome, 12, &["acme/magic (plugins/ours", "zeta/magic (plugins/theirs"]);
    assert_eq!(workspace.run(&["plugin"]).code, 2);
    assert!(Path::new(SIMHOST).is_file());
}
