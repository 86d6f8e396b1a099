//! The name of a public type is unique among public types, except names in [`SHARED`]; the name of
//! any type is unique in its crate, except names in [`REPEATED`]; and no free function is called
//! `of` or `take`.
//!
//! A type is public if a program can name it: it is in a public module, or re-exported. Re-exports of types of
//! another crate do not count. Plugins, whose types programs do not name, and the validation program are left out.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use super::circles::{Crate, Module, leaves};
use super::source::root;

/// The type in the SDK or the boundary is what authors of models see of the same thing.
const BOUNDARY: &str = "seen from both sides of the plugin boundary, and each author sees one side";
/// The type of the device has the name of what it copies.
const DEVICE: &str = "`simhost-gpu` copies it to a device, and one file of the host names both";
/// The type is a sample of a stream.
const RECORD: &str = "a sample of the stream that shows the other one";
/// The name says what the type is only with the name of its crate.
const OWN: &str = "of each crate, as in other crates of Rust, and always written with its crate";

/// Names that several crates use, with these crates and the reason.
const SHARED: &[(&str, &[&str], &str)] = &[
    (
        "Block",
        &["framework/streams", "framework/world"],
        "rows of a file on their way to a thread, and an element of world files",
    ),
    ("Chassis", &["framework/world", "sdk"], BOUNDARY),
    ("Clock", &["framework/engine", "framework/simhost"], RECORD),
    ("CommandKinds", &["framework/record", "sdk"], BOUNDARY),
    ("Distortion", &["framework/streams", "sdk/abi"], BOUNDARY),
    ("Fan", &["framework/sensing", "sdk"], BOUNDARY),
    ("Flow", &["framework/simhost", "sdk"], BOUNDARY),
    ("GpuError", &["framework/gpu", "framework/simhost"], DEVICE),
    ("Hit", &["framework/gpu", "framework/scene"], DEVICE),
    ("ImageKind", &["framework/streams", "sdk/abi"], BOUNDARY),
    ("Instance", &["framework/gpu", "framework/model"], DEVICE),
    ("Limits", &["framework/assets", "framework/engine", "framework/gpu", "framework/world"], OWN),
    (
        "Manifest",
        &["framework/runs", "framework/simhost"],
        "the file that one crate writes and the other reads",
    ),
    (
        "Marker",
        &["framework/runs", "framework/world"],
        "the element of world files, and what a recording keeps of it",
    ),
    ("MassProperties", &["framework/scene", "sdk"], BOUNDARY),
    ("Mesh", &["framework/gpu", "framework/scene"], DEVICE),
    ("Observer", &["framework/model", "sdk"], BOUNDARY),
    ("Odometry", &["framework/simhost", "sdk"], BOUNDARY),
    ("Options", &["framework/engine", "framework/registry", "framework/simhost"], OWN),
    ("ParamValue", &["framework/model", "sdk"], BOUNDARY),
    ("Pattern", &["framework/gpu", "framework/model"], DEVICE),
    ("Ray", &["framework/gpu", "sdk/abi"], DEVICE),
    ("Return", &["framework/gpu", "framework/sensing"], DEVICE),
    ("RunEnd", &["sdk", "sdk/abi"], BOUNDARY),
    ("RunStart", &["sdk", "sdk/abi"], BOUNDARY),
    ("Sample", &["framework/streams", "sdk", "sdk/abi"], BOUNDARY),
    ("Scanner", &["framework/gpu", "framework/pictures"], DEVICE),
    ("Scene", &["framework/gpu", "framework/pictures"], DEVICE),
    ("Sensor", &["framework/gpu", "sdk"], DEVICE),
    ("Settings", &["framework/streams", "framework/world"], OWN),
    (
        "Shape",
        &["framework/pictures", "framework/sensing"],
        "an outline to draw, and an outline that rays meet",
    ),
    (
        "Source",
        &["framework/model", "framework/streams"],
        "origin of a port's values, and of a stream's",
    ),
    ("Surface", &["framework/sensing", "sdk"], BOUNDARY),
    ("Vehicle", &["framework/simhost", "framework/world", "sdk"], BOUNDARY),
    ("Wheel", &["framework/simhost", "sdk"], BOUNDARY),
    ("Wheels", &["framework/simhost", "sdk"], BOUNDARY),
];

/// The type has another definition in builds for other systems, or without a feature.
const OTHER_BUILD: &str = "another definition in builds for other systems or without a feature";

/// Names that a crate uses for several types, with its folder and the reason.
const REPEATED: &[(&str, &str, &str)] = &[
    ("framework/cli", "AskRos2", OTHER_BUILD),
    ("framework/cli", "CrashReport", OTHER_BUILD),
    ("framework/cli", "Fmu", OTHER_BUILD),
    ("framework/cli", "Keys", OTHER_BUILD),
    ("framework/cli", "Ros2", OTHER_BUILD),
    ("framework/cli", "Ros2Nodes", OTHER_BUILD),
    ("framework/cli", "Serving", OTHER_BUILD),
    ("framework/registry", "Library", OTHER_BUILD),
    ("framework/registry", "Surroundings", OTHER_BUILD),
    ("framework/simhost", "Opened", OTHER_BUILD),
    ("framework/streams", "Writer", "writer of rows on a thread, and of the fields of a message"),
    ("framework/validator", "Guarded", OTHER_BUILD),
    ("sdk", "Sample", "what an observer gets, and its counterpart in the test kit"),
];

/// Calls `see` with the items of a file and of the modules inside it.
fn for_each_item<'f>(items: &'f [syn::Item], see: &mut dyn FnMut(&'f syn::Item)) {
    for item in items {
        see(item);
        if let syn::Item::Mod(syn::ItemMod { content: Some((_, items)), .. }) = item {
            for_each_item(items, see);
        }
    }
}

/// Returns the names of the public types of a crate.
fn public_types(read: &Crate) -> BTreeSet<String> {
    let mut names = BTreeSet::new();
    let mut open = vec![Module::new()];
    while let Some(module) = open.pop() {
        let Some((.., file)) = read.files.iter().find(|(_, own, _)| *own == module) else {
            continue;
        };
        for item in &file.items {
            let (vis, ident) = match item {
                syn::Item::Enum(item) => (&item.vis, &item.ident),
                syn::Item::Struct(item) => (&item.vis, &item.ident),
                syn::Item::Trait(item) => (&item.vis, &item.ident),
                syn::Item::Type(item) => (&item.vis, &item.ident),
                syn::Item::Mod(item) if matches!(item.vis, syn::Visibility::Public(_)) => {
                    open.push(within(&module, &[item.ident.to_string()]));
                    continue;
                }
                syn::Item::Use(item) if matches!(item.vis, syn::Visibility::Public(_)) => {
                    leaves(&item.tree, &mut Vec::new(), &mut |name, path| match name {
                        None => open.push(within(&module, &path)),
                        Some(name) if read.resolve(&module, &path, 0).is_some() => {
                            names.extend(is_type(&name).then_some(name));
                        }
                        Some(_) => {}
                    });
                    continue;
                }
                _ => continue,
            };
            if matches!(vis, syn::Visibility::Public(_)) {
                names.insert(ident.to_string());
            }
        }
    }
    names
}

/// Returns the path of a module that a module names.
fn within(module: &[String], path: &[String]) -> Module {
    let own = if path.first().is_some_and(|first| first == "crate") { &[] } else { module };
    let named = path.iter().filter(|part| !matches!(part.as_str(), "crate" | "self"));
    own.iter().chain(named).cloned().collect()
}

/// Returns whether a name denotes a type, not a function or a constant.
fn is_type(name: &str) -> bool {
    name.starts_with(char::is_uppercase) && name.contains(char::is_lowercase)
}

/// Returns the name of the struct that a `declare!` of `framework/world` declares.
fn declared(item: &syn::ItemMacro) -> Option<String> {
    let mut tokens = item.mac.tokens.clone().into_iter().map(|token| token.to_string());
    tokens.find(|token| token == "struct")?;
    tokens.next()
}

/// Names of types and free functions.
#[derive(Default)]
pub struct NamesOfItems {
    /// Names of public types, with the folders of their crates.
    public: BTreeMap<String, Vec<String>>,
    /// Names that several types of a crate have, with the folder of the crate.
    repeated: BTreeSet<(String, String)>,
    /// Free functions whose name says nothing.
    vague: Vec<String>,
}

impl NamesOfItems {
    /// Adds the names of a crate whose source folder is `source`.
    pub fn add(&mut self, source: &Path, read: &Crate) {
        let folder = source.parent().unwrap().strip_prefix(root()).unwrap();
        let mut types = BTreeSet::new();
        let is_plugin = folder.starts_with("plugins");
        for (path, _, file) in &read.files {
            for_each_item(&file.items, &mut |item| {
                let ident = match item {
                    syn::Item::Enum(item) => item.ident.to_string(),
                    syn::Item::Struct(item) => item.ident.to_string(),
                    syn::Item::Trait(item) => item.ident.to_string(),
                    syn::Item::Type(item) => item.ident.to_string(),
                    syn::Item::Macro(item) if item.mac.path.is_ident("declare") => {
                        let Some(name) = declared(item) else { return };
                        name
                    }
                    syn::Item::Fn(item) => {
                        let name = item.sig.ident.to_string();
                        if name == "of" || name == "take" {
                            self.vague.push(format!("{}/src/{path}: {name}", folder.display()));
                        }
                        return;
                    }
                    _ => return,
                };
                if !types.insert(ident.clone()) && !is_plugin {
                    self.repeated.insert((folder.display().to_string(), ident));
                }
            });
        }
        let is_library = source.join("lib.rs").exists();
        if !is_library || folder.starts_with("plugins") || folder.starts_with("validation") {
            return;
        }
        for name in public_types(read) {
            self.public.entry(name).or_default().push(folder.display().to_string());
        }
    }

    /// Compares the names that several types have with those that they may have.
    pub fn check(mut self) {
        assert!(self.public.len() > 400, "{} types", self.public.len());
        self.public.retain(|_, crates| crates.len() > 1);
        let shared: BTreeMap<String, Vec<String>> = SHARED
            .iter()
            .map(|(name, crates, _)| {
                ((*name).to_owned(), crates.iter().map(|one| (*one).to_owned()).collect())
            })
            .collect();
        let difference = "names of public types in several crates, and those that may be";
        assert_eq!(self.public, shared, "{difference}");
        let repeated = REPEATED.iter().map(|(folder, name, _)| ((*folder).into(), (*name).into()));
        let difference = "names of several types in a crate, and those that may be";
        assert_eq!(self.repeated, repeated.collect(), "{difference}");
        assert!(self.vague.is_empty(), "name what these functions return: {:?}", self.vague);
    }
}
