//! Exports one model.

use std::path::{Path, PathBuf};

use simhost_abi::{ParamKind, param_flag};
use simhost_model::{LINKED_IN, ModelRef, ParamValue, nearest};
use simhost_registry::Catalogue;
use simhost_world::ParameterError;

use crate::archive::{self, Files};
use crate::error::FmuError;
use crate::export::FmuSummary;
use crate::interface::{Interface, ModelSource, Role, Simulated, Variable};
use crate::lone_model::LoneModel;
use crate::version::FmiVersion;
use crate::{model_variables, resources};

/// Contents of an FMU with one model.
#[derive(Clone, Debug)]
pub struct ModelExport {
    /// Index of the model among the variants of its class.
    pub variant: usize,
    /// Values of parameters as in a world file, by their keys. Relative paths start at `folder`.
    pub parameters: Vec<(String, String)>,
    /// Folder at which relative paths of parameters start.
    pub folder: PathBuf,
    /// Number of wheels of a vehicle, for a class that does not declare them.
    pub wheels: usize,
    /// Suggested communication step, s.
    pub step: f64,
    /// Documentation of the model as a page in HTML.
    pub documentation: String,
    /// The library that every FMU contains.
    pub library: PathBuf,
}

/// Writes a model as an FMU per version and path: for co-simulation, and for model exchange if an
/// importer can integrate its states. A plugin from which the model comes becomes a resource.
///
/// # Errors
/// [`FmuError`] if the model needs a world, a parameter is unknown or not accepted, a call of the model fails, or a file cannot
/// be read or written.
pub fn export_model(
    name: &str,
    class: &ModelRef,
    catalogue: &Catalogue,
    request: &ModelExport,
    to: &[(FmiVersion, PathBuf)],
) -> Result<FmuSummary, FmuError> {
    let label = format!("{} {}", class.model.kind_tag(), class.full_name);
    let failed = |reason: String| FmuError::Model { class: label.clone(), reason };
    if !is_storable(class) {
        return Err(failed(NOT_STORABLE.to_owned()));
    }
    if class.model.phases().is_empty() {
        return Err(failed("it reads the quantities of a run, and has no ports".to_owned()));
    }
    let given = given_parameters(class, request)?;
    let (inside, mut files) = with_files(class, request, &given)?;
    let source = ModelSource {
        kind: class.model.kind_tag().to_owned(),
        class: class.full_name.to_string(),
        variant: request.variant,
        parameters: given,
        wheels: request.wheels,
        has_rates: false,
    };
    let mut model = LoneModel::new(catalogue, &source, &request.folder).map_err(failed)?;
    if let Some(reason) = model_variables::obstacle(&model) {
        return Err(failed(reason));
    }
    let variables = model_variables::variables(&model);
    model.preview([0.0, request.step], 0, 0).map_err(failed)?;
    let sources = Some(&*class.source).filter(|source| *source != LINKED_IN);
    let plugins = resources::add_plugins(sources, &mut files)?;
    let summary = summary(&variables);
    let source = ModelSource { parameters: inside, has_rates: model.has_rates(), ..source };
    let interface = Interface {
        name: name.to_owned(),
        token: String::new(),
        dt: request.step,
        duration: None,
        simulated: Simulated::Model(source),
        plugins,
        variables,
    };
    let page = request.documentation.clone().into_bytes();
    let further = Files::from([("documentation/index.html".to_owned(), page)]);
    archive::write(interface, files, &further, &request.library, to)?;
    Ok(summary)
}

/// Why a model that only this process has cannot be stored.
const NOT_STORABLE: &str =
    "it is a model in Python\nhelp: write it as a plugin with simhost.export_plugin";

/// Returns whether the library in FMUs has a model, or a plugin file has it.
pub fn is_storable(class: &ModelRef) -> bool {
    !class.is_linked_in() || class.is_built_in()
}

/// Returns the parameters of a request by their keys.
///
/// # Errors
/// [`FmuError::Unknown`] for a name that is not one of a parameter, and [`FmuError::Model`] if a required one is missing.
fn given_parameters(
    class: &ModelRef,
    request: &ModelExport,
) -> Result<Vec<(String, String)>, FmuError> {
    let params = class.model.params();
    let mut given: Vec<(String, String)> = Vec::new();
    for (name, text) in &request.parameters {
        let Some(desc) = params.iter().find(|desc| desc.is_named(name)) else {
            let keys = params.iter().map(|desc| desc.key());
            let help = match (nearest(name, keys.clone()), keys.count()) {
                (Some(nearest), _) => format!("did you mean '{nearest}'?"),
                (None, 0) => "the model has no parameters".to_owned(),
                (None, _) => "`simhost plugin doc CLASS` lists the parameters".to_owned(),
            };
            return Err(FmuError::Unknown { what: "parameter", found: name.clone(), help });
        };
        given.retain(|(key, _)| key != desc.key());
        given.push((desc.key().to_owned(), text.clone()));
    }
    let is_missing = |key: &str| !given.iter().any(|(known, _)| known == key);
    let mut required = params.iter().filter(|desc| desc.flags & param_flag::REQUIRED != 0);
    match required.find(|desc| is_missing(desc.key())) {
        None => Ok(given),
        Some(desc) => Err(FmuError::Model {
            class: format!("{} {}", class.model.kind_tag(), class.full_name),
            reason: format!(
                "its parameter `{0}` has no default\nhelp: give it a value with --param {0}=…",
                desc.key()
            ),
        }),
    }
}

/// Returns the parameters with paths among the resources, and the files.
///
/// # Errors
/// [`FmuError::Value`] for a value that is not accepted, and [`FmuError::File`] if a file cannot be read.
fn with_files(
    class: &ModelRef,
    request: &ModelExport,
    parameters: &[(String, String)],
) -> Result<(Vec<(String, String)>, Files), FmuError> {
    let texts: Vec<(&str, &str)> = parameters.iter().map(|(key, text)| (&**key, &**text)).collect();
    let values = simhost_world::model_parameters(class.model, &texts, &request.folder);
    let values = values.map_err(|error| FmuError::Value(ParameterError::Value(Box::new(error))))?;
    let paths = |index: usize, value: &ParamValue| -> Vec<Option<PathBuf>> {
        let path = |value: &ParamValue| match value {
            ParamValue::Text(text) => Some(PathBuf::from(text)),
            _ => None,
        };
        match (class.model.params()[index].kind(), value) {
            (Some(ParamKind::Path | ParamKind::File | ParamKind::BinaryFile), value) => {
                vec![path(value)]
            }
            (Some(ParamKind::BinaryFiles), ParamValue::Items(items)) => {
                items.iter().map(path).collect()
            }
            _ => Vec::new(),
        }
    };
    let all: Vec<PathBuf> =
        values.iter().flat_map(|(index, value)| paths(*index, value)).flatten().collect();
    let files = resources::copies(&all)?;
    let inside = |path: &Option<PathBuf>| {
        let path: Option<&Path> = path.as_deref();
        path.and_then(|path| resources::place(&all, path)).unwrap_or_else(|| "-".to_owned())
    };
    let mut parameters = parameters.to_vec();
    for (index, value) in &values {
        let found = paths(*index, value);
        let key = class.model.params()[*index].key();
        let parameter = parameters.iter_mut().find(|(known, _)| known == key);
        if let (Some((_, text)), false) = (parameter, found.is_empty()) {
            *text = found.iter().map(inside).collect::<Vec<_>>().join(" ");
        }
    }
    Ok((parameters, files))
}

fn summary(variables: &[Variable]) -> FmuSummary {
    let count = |is: fn(&Role) -> bool| variables.iter().filter(|one| is(&one.role)).count();
    FmuSummary {
        inputs: count(|role| matches!(role, Role::PortInput { .. })),
        outputs: count(Role::is_output),
        parameters: count(Role::is_parameter),
    }
}
