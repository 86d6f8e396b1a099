//! Submodels: what a world asks for, the pool of their signals, and the built-in examples.

mod examples;
mod pool;

pub use examples::Examples;
pub use pool::Pool;

use simhost_sdk::abi::Str;
use simhost_sdk::prelude::*;

/// The submodels of a plugin.
pub trait Catalogue: 'static {
    /// Further names of the class.
    const ALIASES: &'static [Str] = &[];

    /// Creates a submodel.
    ///
    /// # Errors
    ///
    /// A message for the user that lists the known submodels, or says what is wrong with the parameters.
    fn create(wanted: &Wanted) -> Result<Box<dyn Submodel>, String>;
}

/// A submodel that a world asks for.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Wanted {
    /// Module of the class, or empty.
    pub module: String,
    /// Name of the class.
    pub class: String,
    /// File of parameters.
    pub params: Option<TextFile>,
}

/// Returns the submodels that a world asks for with elements, or with lists of modules, parameter files
/// and classes, or the examples.
///
/// # Errors
///
/// A message for the user when the lists differ in length or name a file.
pub fn wanted(elements: Vec<Wanted>, lists: [&String; 3]) -> Result<Vec<Wanted>, String> {
    let [modules, params, classes] = lists.map(|list| items(list));
    let given = !(modules.is_empty() && params.is_empty() && classes.is_empty());
    match (elements.is_empty(), given) {
        (false, true) => {
            return Err("found <submodel> and lists of submodels; expected one of them".to_owned());
        }
        (false, false) => return Ok(elements),
        (true, false) => return Ok(examples::all()),
        (true, true) => {}
    }
    let lengths = [modules.len(), params.len(), classes.len()];
    if lengths[0] != lengths[2] || lengths[1] != lengths[2] {
        let [modules, params, classes] = lengths;
        return Err(format!(
            "model_module_paths has {modules} items, model_param_paths {params}, and \
             model_class_names {classes}; expected lists of equal length"
        ));
    }
    if let Some(path) = params.iter().find(|path| !path.is_empty()) {
        return Err(format!(
            "model_param_paths names the file `{path}`; expected \"\": write \
             <submodel><class>…</class><params>{path}</params></submodel>"
        ));
    }
    let pairs = modules.into_iter().zip(classes);
    Ok(pairs.map(|(module, class)| Wanted { module, class, params: None }).collect())
}

/// Returns the items of a list, which are separated by spaces or commas. In brackets they are separated
/// by commas, and can be quoted and empty.
fn items(list: &str) -> Vec<String> {
    let list = list.trim();
    if let Some(inner) = list.strip_prefix('[').and_then(|rest| rest.strip_suffix(']')) {
        let inner = inner.trim();
        let items = inner.split(',').map(|item| item.trim().trim_matches(['"', '\'']).to_owned());
        return if inner.is_empty() { Vec::new() } else { items.collect() };
    }
    let items = list.split([' ', ',', '\n', '\t', '\r']).filter(|item| !item.is_empty());
    items.map(|item| item.trim_matches(['"', '\'']).to_owned()).collect()
}

#[cfg(test)]
mod tests;
