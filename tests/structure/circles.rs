//! No circle of files inside a crate, except the circles in [`ALLOWED`].
//!
//! An edge leads from a file to the file that defines what it imports with `use`, or names by a
//! path that begins with `crate`, `super` or `self`, outside of `#[cfg(test)]`. Re-exports are
//! followed to the definition, and are not edges themselves. A path that begins with the name of a
//! child module is not an edge unless it is imported, so that a file can hand work to its own
//! children. Inline modules belong to their file.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use syn::visit::Visit;

use super::source::{parse, remove_tests, rust_files};

/// Circles that stay: the folder of the crate, the files, and the reason. At most [`MOST`], and none of more than
/// [`LARGEST`] files.
const ALLOWED: &[(&str, &[&str], &str)] = &[];
/// Largest number of allowed circles.
const MOST: usize = 4;
/// Largest number of files of an allowed circle.
const LARGEST: usize = 3;

/// Path of a module from the crate root.
pub type Module = Vec<String>;

/// A module: its file and the names that it defines.
#[derive(Default)]
struct Names {
    /// Index of the file.
    file: usize,
    /// Items other than modules and imports.
    items: BTreeSet<String>,
    /// Imported names with the paths that they stand for.
    imports: BTreeMap<String, Module>,
    /// Modules and enumerations whose names are all imported.
    globs: Vec<Module>,
}

/// The files of a crate with their modules.
#[derive(Default)]
pub struct Crate {
    /// Paths of the files below the source folder, with their modules and contents.
    pub files: Vec<(String, Module, syn::File)>,
    modules: BTreeMap<Module, Names>,
}

impl Crate {
    /// Returns the file that defines what a path in a module leads to, if it is one of this crate.
    pub fn resolve(&self, module: &[String], path: &[String], depth: usize) -> Option<usize> {
        if depth > 20 {
            return None;
        }
        let mut at: Module = module.to_vec();
        let mut rest = path;
        while let Some((first, tail)) = rest.split_first() {
            match first.as_str() {
                "crate" => at = Vec::new(),
                "self" => {}
                "super" => {
                    at.pop()?;
                }
                name => return self.lookup(&at, name, tail, depth),
            }
            rest = tail;
        }
        self.modules.get(&at).map(|names| names.file)
    }

    /// Resolves a name of a module and the segments behind it.
    fn lookup(&self, at: &[String], name: &str, tail: &[String], depth: usize) -> Option<usize> {
        let names = self.modules.get(at)?;
        let child: Module = at.iter().cloned().chain([name.to_owned()]).collect();
        if let Some(inner) = self.modules.get(&child) {
            return match tail.first() {
                None => Some(inner.file),
                Some(name) if inner.imports.contains_key(name) => {
                    self.resolve(&child, tail, depth + 1)
                }
                // what the module does not define comes from a macro
                Some(_) => self.resolve(&child, tail, depth + 1).or(Some(inner.file)),
            };
        }
        if names.items.contains(name) {
            return Some(names.file);
        }
        if let Some(import) = names.imports.get(name) {
            let whole: Module = import.iter().chain(tail).cloned().collect();
            return self.resolve(at, &whole, depth + 1);
        }
        names.globs.iter().find_map(|glob| {
            let whole: Module =
                glob.iter().cloned().chain([name.to_owned()]).chain(tail.iter().cloned()).collect();
            self.resolve(at, &whole, depth + 1)
        })
    }

    /// Reads the crate whose source folder is `source`, and calls `see` with each whole file.
    pub fn read(source: &Path, see: &mut dyn FnMut(&Path, &syn::File)) -> Self {
        let mut read = Self::default();
        for path in rust_files(source) {
            let file = parse(&path);
            see(&path, &file);
            read.add_file(path.strip_prefix(source).unwrap(), file);
        }
        read
    }

    /// Adds a file by its path below the source folder, without its unit tests, unless it holds
    /// tests or is a separate program.
    pub fn add_file(&mut self, path: &Path, mut file: syn::File) {
        remove_tests(&mut file.items);
        let parts = path.with_extension("");
        let mut module: Module =
            parts.iter().map(|part| part.to_str().unwrap().to_owned()).collect();
        if module.iter().any(|part| part == "tests") || path.starts_with("bin") {
            return;
        }
        if module == ["lib"] || module == ["main"] {
            module.clear();
        }
        self.add(module.clone(), self.files.len(), &file.items);
        self.files.push((path.display().to_string(), module, file));
    }

    /// Returns the files that each file uses.
    fn graph(&self) -> Vec<BTreeSet<usize>> {
        let files = self.files.iter().enumerate();
        files
            .map(|(number, (_, module, file))| {
                let module = module.clone();
                let mut edges = Edges { of: self, module, found: BTreeSet::new() };
                edges.visit_file(file);
                edges.found.remove(&number);
                edges.found
            })
            .collect()
    }

    /// Returns the circles, each as the sorted paths of its files.
    pub fn circles(&self) -> Vec<Vec<&str>> {
        let name = |file: usize| self.files[file].0.as_str();
        let found = circles(&self.graph());
        found.into_iter().map(|circle| circle.into_iter().map(name).collect()).collect()
    }

    fn add(&mut self, module: Module, file: usize, items: &[syn::Item]) {
        let mut names = Names { file, ..Names::default() };
        for item in items {
            let ident = match item {
                syn::Item::Const(item) => &item.ident,
                syn::Item::Enum(item) => &item.ident,
                syn::Item::Fn(item) => &item.sig.ident,
                syn::Item::Static(item) => &item.ident,
                syn::Item::Struct(item) => &item.ident,
                syn::Item::Trait(item) => &item.ident,
                syn::Item::Type(item) => &item.ident,
                syn::Item::Union(item) => &item.ident,
                syn::Item::Macro(syn::ItemMacro { ident: Some(ident), .. }) => ident,
                syn::Item::Use(item) => {
                    leaves(&item.tree, &mut Vec::new(), &mut |name, path| match name {
                        Some(name) => {
                            names.imports.insert(name, path);
                        }
                        None => names.globs.push(path),
                    });
                    continue;
                }
                syn::Item::Mod(item) => {
                    if let Some((_, items)) = &item.content {
                        let inner =
                            module.iter().cloned().chain([item.ident.to_string()]).collect();
                        self.add(inner, file, items);
                    }
                    continue;
                }
                _ => continue,
            };
            names.items.insert(ident.to_string());
        }
        self.modules.insert(module, names);
    }
}

/// Calls `found` with each imported name and its path; without a name for a glob.
pub fn leaves(
    tree: &syn::UseTree,
    before: &mut Module,
    found: &mut dyn FnMut(Option<String>, Module),
) {
    match tree {
        syn::UseTree::Path(path) => {
            before.push(path.ident.to_string());
            leaves(&path.tree, before, found);
            before.pop();
        }
        syn::UseTree::Name(name) if name.ident == "self" => {
            found(before.last().cloned(), before.clone());
        }
        syn::UseTree::Name(name) => {
            let path = before.iter().cloned().chain([name.ident.to_string()]).collect();
            found(Some(name.ident.to_string()), path);
        }
        syn::UseTree::Rename(name) => {
            let path = before.iter().cloned().chain([name.ident.to_string()]).collect();
            found(Some(name.rename.to_string()), path);
        }
        syn::UseTree::Glob(_) => found(None, before.clone()),
        syn::UseTree::Group(group) => {
            group.items.iter().for_each(|tree| leaves(tree, before, found));
        }
    }
}

/// Collects the files to which the paths of a file lead.
struct Edges<'c> {
    of: &'c Crate,
    module: Module,
    found: BTreeSet<usize>,
}

impl Edges<'_> {
    fn follow(&mut self, path: &[String]) {
        self.found.extend(self.of.resolve(&self.module, path, 0));
    }
}

impl<'a> Visit<'a> for Edges<'_> {
    fn visit_item_mod(&mut self, item: &'a syn::ItemMod) {
        self.module.push(item.ident.to_string());
        syn::visit::visit_item_mod(self, item);
        self.module.pop();
    }

    fn visit_item_use(&mut self, item: &'a syn::ItemUse) {
        if matches!(item.vis, syn::Visibility::Inherited) {
            leaves(&item.tree, &mut Vec::new(), &mut |_, path| self.follow(&path));
        }
    }

    /// Visibilities such as `pub(in crate::x)` are not uses.
    fn visit_visibility(&mut self, _: &'a syn::Visibility) {}

    fn visit_path(&mut self, path: &'a syn::Path) {
        let segments: Module = path.segments.iter().map(|one| one.ident.to_string()).collect();
        if segments.len() > 1 && ["crate", "super", "self"].contains(&&*segments[0]) {
            self.follow(&segments);
        }
        syn::visit::visit_path(self, path);
    }
}

/// Returns the circles of a graph, each with its members in order: its strongly connected components of
/// more than one node.
fn circles(graph: &[BTreeSet<usize>]) -> Vec<Vec<usize>> {
    let reach = |from: usize| {
        let (mut seen, mut open) = (BTreeSet::new(), vec![from]);
        while let Some(node) = open.pop() {
            open.extend(graph[node].iter().filter(|next| seen.insert(**next)));
        }
        seen
    };
    let reached: Vec<BTreeSet<usize>> = (0..graph.len()).map(reach).collect();
    let mut found = Vec::new();
    for node in 0..graph.len() {
        let members: Vec<usize> =
            reached[node].iter().copied().filter(|other| reached[*other].contains(&node)).collect();
        if members.len() > 1 && members[0] == node {
            found.push(members);
        }
    }
    found
}

/// Compares the circles of all crates with those that are allowed.
pub fn check(found: &[String]) {
    assert!(ALLOWED.len() <= MOST && ALLOWED.iter().all(|(_, files, _)| files.len() <= LARGEST));
    let allowed =
        ALLOWED.iter().map(|(folder, files, _)| format!("{folder}: {}", files.join(", ")));
    assert_eq!(found, allowed.collect::<Vec<_>>(), "circles of files, and those that are allowed");
}

#[test]
fn circles_are_found_through_imports_paths_and_re_exports() {
    let files = [
        ("lib.rs", "mod a; mod b; mod c; pub use c::Thing;"),
        ("a.rs", "mod inner; use crate::b::B; pub struct A; fn f() { inner::f(); }"),
        ("a/inner.rs", "use super::A; fn f() {} #[cfg(test)] mod tests { use crate::c::Thing; }"),
        ("b.rs", "pub struct B; fn f() { crate::Thing::new(); }"),
        ("c.rs", "pub use crate::a::A; use A as Alias; pub struct Thing;"),
    ];
    let mut read = Crate::default();
    for (path, text) in files {
        read.add_file(Path::new(path), syn::parse_file(text).unwrap());
    }
    assert_eq!(read.circles(), [["a.rs", "b.rs", "c.rs"]]);
    let graph: Vec<BTreeSet<usize>> =
        vec![BTreeSet::from([1]), BTreeSet::from([2]), BTreeSet::new()];
    assert!(circles(&graph).is_empty());
}
