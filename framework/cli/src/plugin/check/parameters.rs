//! Values of parameters that models are tested with, from the command line and from the file of a project.

use std::path::{Path, PathBuf};

use simhost_abi::{Model, ParamDesc};
use simhost_model::View;
use simhost_validator::{GivenValue, Subject};
use simhost_world::ParameterError;
use toml_edit::{Document, Item, Table, Value};

use crate::process::{Code, Failure};

/// File of a plugin project, in the working folder.
const PROJECT: &str = "simhost.toml";
/// Table of that file with values of parameters.
const TABLE: &str = "check";

/// A value of a parameter, as it is written.
struct WrittenValue {
    /// Class of the parameter; `None` for any class.
    class: Option<String>,
    name: String,
    text: String,
    /// Where it is written, for messages.
    place: String,
    is_used: bool,
}

/// The values of parameters that models are tested with. Later ones have precedence.
#[derive(Default)]
pub(super) struct GivenParameters {
    values: Vec<WrittenValue>,
}

impl GivenParameters {
    /// Reads the file of the project, if the working folder has one, and `NAME=VALUE` from the command line.
    ///
    /// # Errors
    /// Fails if the file cannot be read, or has a value that is not one of a parameter.
    pub fn read(arguments: &[(String, String)]) -> Result<Self, Failure> {
        let mut given = Self::default();
        let path = Path::new(PROJECT);
        if path.is_file() {
            given.read_project(path)?;
        }
        given.values.extend(arguments.iter().map(|(name, text)| WrittenValue {
            class: None,
            name: name.clone(),
            text: text.clone(),
            place: "--param".to_owned(),
            is_used: false,
        }));
        Ok(given)
    }

    fn read_project(&mut self, path: &Path) -> Result<(), Failure> {
        let bad = |text: String| Failure::new(Code::BadInput, text);
        let text = simhost_files::read_text(path, simhost_files::MAX_BYTES)
            .map_err(|error| bad(format!("cannot read {}: {error}", path.display())))?;
        let document = Document::parse(text.as_str())
            .map_err(|error| bad(format!("{}: {error}", path.display())))?;
        let Some(item) = document.get(TABLE) else { return Ok(()) };
        let Some(table) = item.as_table() else {
            return Err(bad(format!("{PROJECT}: `{TABLE}` is not a table; expected [{TABLE}]")));
        };
        self.read_table(None, table)
    }

    fn read_table(&mut self, class: Option<&str>, table: &Table) -> Result<(), Failure> {
        for (name, item) in table {
            match (item, class) {
                (Item::Table(of_class), None) => self.read_table(Some(name), of_class)?,
                (Item::Value(value), _) if text_of(value).is_some() => {
                    let text = text_of(value).unwrap_or_default();
                    self.values.push(WrittenValue {
                        class: class.map(str::to_owned),
                        name: name.to_owned(),
                        text,
                        place: PROJECT.to_owned(),
                        is_used: false,
                    });
                }
                _ => {
                    let text = format!(
                        "{PROJECT}: `{name}` is {}; expected a text, a number, true or false, or a list of \
                         them",
                        item.type_name()
                    );
                    return Err(Failure::new(Code::BadInput, text));
                }
            }
        }
        Ok(())
    }

    /// Returns the values for a model.
    ///
    /// # Errors
    /// Fails if a value does not fit the declaration of its parameter.
    pub fn for_model(
        &mut self,
        subject: &Subject,
        model: &'static View<Model>,
    ) -> Result<Vec<GivenValue>, Failure> {
        let short = subject.class.rsplit('/').next().unwrap_or_default();
        let fits = |class: &str| class == subject.class || class == short;
        let mut own: Vec<(&'static str, String, usize)> = Vec::new();
        for (number, value) in self.values.iter_mut().enumerate() {
            let is_for = value.class.as_deref().is_none_or(fits);
            let desc = model.params().iter().find(|desc| desc.is_named(&value.name));
            let Some(key) = desc.filter(|_| is_for).map(View::<ParamDesc>::key) else { continue };
            value.is_used = true;
            own.retain(|(known, ..)| *known != key);
            own.push((key, value.text.clone(), number));
        }
        let given: Vec<_> = own.iter().map(|(key, text, _)| (*key, text.as_str())).collect();
        let folder = std::env::current_dir().unwrap_or_else(|_| PathBuf::from("."));
        simhost_world::model_parameters(model, &given, &folder).map_err(|error| {
            let error = ParameterError::Value(Box::new(error));
            Failure::new(Code::BadInput, format!("{}: {error}", subject.name()))
        })
    }

    /// Checks that some model has each parameter.
    ///
    /// # Errors
    /// Fails at the first parameter that no tested model has.
    pub fn check_used(&self, models: &[&'static View<Model>]) -> Result<(), Failure> {
        let Some(unused) = self.values.iter().find(|value| !value.is_used) else { return Ok(()) };
        let names = models.iter().flat_map(|model| model.params()).map(View::<ParamDesc>::key);
        let help = match simhost_model::nearest(&unused.name, names) {
            Some(nearest) => format!("did you mean `{nearest}`?"),
            None => "`simhost plugin doc CLASS` lists the parameters of a class".to_owned(),
        };
        let of = unused.class.as_ref().map(|class| format!(" of `{class}`")).unwrap_or_default();
        let WrittenValue { name, place, .. } = unused;
        let text = format!(
            "unknown parameter `{name}`{of} in {place}; no tested model has it\nhelp: {help}"
        );
        Err(Failure::new(Code::BadInput, text))
    }
}

/// Returns a value as a world file gives it; `None` for a table.
fn text_of(value: &Value) -> Option<String> {
    match value {
        Value::String(text) => Some(text.value().clone()),
        Value::Integer(number) => Some(number.value().to_string()),
        Value::Float(number) => Some(number.value().to_string()),
        Value::Boolean(flag) => Some(flag.value().to_string()),
        Value::Array(items) => {
            let items = items.iter().map(text_of).collect::<Option<Vec<_>>>()?;
            Some(items.join(" "))
        }
        Value::Datetime(_) | Value::InlineTable(_) => None,
    }
}
