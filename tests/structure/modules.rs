//! No cycle between the top-level modules of any crate.
//!
//! An edge is a path `crate::x`, or `super::x` that reaches the crate root, outside of
//! `#[cfg(test)]`. A path to an item that `lib.rs` or `main.rs` re-exports leads to the module that
//! it comes from; an item that is defined there leads to the root, which counts as a module.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use proc_macro2::{TokenStream, TokenTree};
use syn::visit::Visit;

use super::circles::{Crate, leaves};
use super::source::root;

/// Modules by name, each with those it uses.
type Graph = BTreeMap<String, BTreeSet<String>>;

/// Name of the crate root in the graph.
const ROOT: &str = "(root)";

/// Collects the paths of a file that begin at the crate root.
struct Paths {
    /// Levels of modules between the crate root and the code that is visited; 1 in a top-level file.
    depth: usize,
    /// First segments behind the crate root.
    found: BTreeSet<String>,
}

impl Paths {
    fn follow(&mut self, segments: &[String]) {
        let ups = segments.iter().take_while(|segment| *segment == "super").count();
        let at = match segments.first().map(String::as_str) {
            Some("crate") => 1,
            Some("super") if ups == self.depth => ups,
            Some("self") if self.depth == 0 => 1,
            _ => return,
        };
        if let Some(segment) = segments.get(at) {
            self.found.insert(segment.clone());
        }
    }

    /// Arguments of macros are tokens: `crate :: name` is looked for.
    fn follow_tokens(&mut self, tokens: TokenStream) {
        let tokens: Vec<TokenTree> = tokens.into_iter().collect();
        for (index, token) in tokens.iter().enumerate() {
            match token {
                TokenTree::Group(group) => self.follow_tokens(group.stream()),
                TokenTree::Ident(ident) if ident == "crate" => {
                    if let Some(TokenTree::Ident(name)) = tokens.get(index + 3) {
                        self.found.insert(name.to_string());
                    }
                }
                _ => {}
            }
        }
    }
}

impl<'a> Visit<'a> for Paths {
    fn visit_item_mod(&mut self, item: &'a syn::ItemMod) {
        self.depth += 1;
        syn::visit::visit_item_mod(self, item);
        self.depth -= 1;
    }

    fn visit_item_use(&mut self, item: &'a syn::ItemUse) {
        leaves(&item.tree, &mut Vec::new(), &mut |_, path| self.follow(&path));
    }

    fn visit_path(&mut self, path: &'a syn::Path) {
        let segments = path.segments.iter().map(|segment| segment.ident.to_string());
        self.follow(&segments.collect::<Vec<_>>());
        syn::visit::visit_path(self, path);
    }

    fn visit_macro(&mut self, call: &'a syn::Macro) {
        self.follow_tokens(call.tokens.clone());
        syn::visit::visit_macro(self, call);
    }
}

/// The crate root: its modules, and the module that each re-exported name comes from.
#[derive(Default)]
struct Root {
    modules: BTreeSet<String>,
    exports: BTreeMap<String, String>,
}

impl Root {
    fn read(file: &syn::File) -> Self {
        let mut root = Self::default();
        let mut exports = Vec::new();
        for item in &file.items {
            match item {
                syn::Item::Mod(item) => _ = root.modules.insert(item.ident.to_string()),
                syn::Item::Use(item) => {
                    leaves(&item.tree, &mut Vec::new(), &mut |name, path| {
                        exports.extend(name.zip(Some(path)))
                    });
                }
                _ => {}
            }
        }
        for (name, path) in exports {
            let from = path.into_iter().find(|part| part != "crate" && part != "self");
            root.exports
                .extend(from.filter(|from| root.modules.contains(from)).map(|from| (name, from)));
        }
        root
    }

    fn module_of(&self, name: &str) -> String {
        if self.modules.contains(name) {
            return name.to_owned();
        }
        self.exports.get(name).cloned().unwrap_or_else(|| ROOT.to_owned())
    }
}

/// Returns the cycles of the top-level modules of a crate, if there are some.
pub fn cycles(read: &Crate) -> Option<String> {
    let cycles = in_cycles(&graph(read));
    (!cycles.is_empty()).then(|| cycles.join("; "))
}

fn graph(read: &Crate) -> Graph {
    let (_, _, main) = read.files.iter().find(|(_, module, _)| module.is_empty()).unwrap();
    let crate_root = Root::read(main);
    let mut graph = Graph::new();
    graph.insert(ROOT.to_owned(), uses_of_root(main, &crate_root));
    for (_, module, file) in &read.files {
        let Some(top) = module.first().filter(|top| crate_root.modules.contains(*top)) else {
            continue;
        };
        let mut paths = Paths { depth: module.len(), found: BTreeSet::new() };
        paths.visit_file(file);
        let uses = graph.entry(top.clone()).or_default();
        uses.extend(paths.found.iter().map(|name| crate_root.module_of(name)));
        uses.remove(top);
    }
    graph
}

/// Returns the modules that the code in `lib.rs` itself uses, without declarations and re-exports.
fn uses_of_root(file: &syn::File, crate_root: &Root) -> BTreeSet<String> {
    let mut paths = Paths { depth: 0, found: BTreeSet::new() };
    for item in &file.items {
        match item {
            syn::Item::Use(item) if !matches!(item.vis, syn::Visibility::Inherited) => {}
            syn::Item::Mod(item) if item.content.is_none() => {}
            item => paths.visit_item(item),
        }
    }
    let private: BTreeSet<String> = file
        .items
        .iter()
        .filter_map(|item| match item {
            syn::Item::Use(item) if matches!(item.vis, syn::Visibility::Inherited) => Some(item),
            _ => None,
        })
        .filter_map(|item| match &item.tree {
            syn::UseTree::Path(path) => Some(path.ident.to_string()),
            _ => None,
        })
        .collect();
    let used = paths.found.iter().chain(&private);
    let mut used: BTreeSet<String> = used.map(|name| crate_root.module_of(name)).collect();
    used.remove(ROOT);
    used
}

/// Returns the modules that are left when those that use nothing but what is left are taken away,
/// again and again: the cycles, and what depends on them and is depended on.
fn in_cycles(graph: &Graph) -> Vec<String> {
    let mut left = graph.clone();
    loop {
        let names: BTreeSet<String> = left.keys().cloned().collect();
        let before = left.len();
        left.retain(|_, uses| uses.iter().any(|name| names.contains(name)));
        let used: BTreeSet<String> = left.values().flatten().cloned().collect();
        left.retain(|name, _| used.contains(name));
        if left.len() == before {
            return left
                .iter()
                .map(|(name, uses)| {
                    let uses: Vec<_> =
                        uses.iter().filter(|name| left.contains_key(*name)).collect();
                    format!("{name} -> {uses:?}")
                })
                .collect();
        }
    }
}

/// Source folders of all crates of the workspace.
pub fn crates() -> Vec<PathBuf> {
    let mut crates: Vec<PathBuf> = ["sdk", "sdk/abi", "sdk/derive", "validation"]
        .iter()
        .map(|folder| root().join(folder))
        .collect();
    for folder in ["framework", "plugins"] {
        let entries = std::fs::read_dir(root().join(folder)).unwrap();
        crates.extend(entries.map(|entry| entry.unwrap().path()));
    }
    crates.sort();
    crates.iter().map(|folder| folder.join("src")).filter(|source| source.exists()).collect()
}

#[test]
fn cycles_are_found_and_trees_are_not() {
    let graph = |edges: &[(&str, &[&str])]| -> Graph {
        let set = |names: &[&str]| names.iter().map(|name| (*name).to_owned()).collect();
        edges.iter().map(|(name, uses)| ((*name).to_owned(), set(uses))).collect()
    };
    let tree = graph(&[("a", &["b", "c"]), ("b", &["c"]), ("c", &[])]);
    assert!(in_cycles(&tree).is_empty());
    let cycle = graph(&[("a", &["b"]), ("b", &["c"]), ("c", &["b"]), ("d", &["a"])]);
    assert_eq!(in_cycles(&cycle), ["b -> [\"c\"]", "c -> [\"b\"]"]);
}

#[test]
fn paths_are_found_in_uses_code_and_macros_but_not_in_tests() {
    let text = "use crate::{one::A, two}; use super::three::B; \
        fn f() { crate::four::g(); vec![crate::five::h()]; } \
        mod inner { use super::super::six::C; use super::own::D; } \
        #[cfg(test)] mod tests { use crate::seven::E; }";
    let mut read = Crate::default();
    read.add_file(Path::new("a.rs"), syn::parse_file(text).unwrap());
    let mut paths = Paths { depth: 1, found: BTreeSet::new() };
    paths.visit_file(&read.files[0].2);
    let found: Vec<&str> = paths.found.iter().map(String::as_str).collect();
    assert_eq!(found, ["five", "four", "one", "six", "three", "two"]);
}
