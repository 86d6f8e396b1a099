//! Files of a new project: the templates in `sdk/templates` with their placeholders filled in.

use simhost_abi::Kind;

use super::File;
use super::sdk::Sdk;
use crate::plugin::{Language, New, ProjectTemplate};
use crate::plugin_name;
use crate::process::{Code, Failure};

/// Text of a file below `sdk/templates`.
macro_rules! template {
    (concat!($($part:expr),+)) => {
        include_str!(concat!("../../../../../sdk/templates/", $($part),+))
    };
    ($place:literal) => {
        template!(concat!($place))
    };
}

/// Templates of one project.
struct Model {
    rust: &'static str,
    rust_tests: &'static str,
    c: &'static str,
    c_tests: &'static str,
    cpp: &'static str,
    /// Module in Python, if models in Python can have what the template shows.
    python: Option<&'static str>,
    world: &'static str,
    commands: Option<&'static str>,
    /// Names and texts of further files.
    more: &'static [(&'static str, &'static str)],
}

/// The templates of a folder.
macro_rules! templates {
    ($folder:literal, python: $python:expr) => {
        Model {
            rust: template!(concat!("rust/", $folder, "/lib.rs")),
            rust_tests: template!(concat!("rust/", $folder, "/physics.rs")),
            c: template!(concat!("c/", $folder, "/model.c")),
            c_tests: template!(concat!("c/", $folder, "/physics.c")),
            cpp: template!(concat!("cpp/", $folder, "/model.cpp")),
            python: $python,
            world: template!(concat!("worlds/", $folder, ".world.xml")),
            commands: None,
            more: &[],
        }
    };
    ($folder:literal) => {
        templates!(
            $folder,
            python: Some(template!(concat!("python/", $folder, "/model.py")))
        )
    };
}

const FRICTION: Model = templates!("friction");
const CONTROLLER: Model = Model {
    commands: Some(template!("worlds/controller.commands.csv")),
    ..templates!("controller")
};
const CURVE: Model = Model {
    more: &[
        ("template_name.curve.csv", template!("worlds/curve.curve.csv")),
        ("simhost.toml", template!("worlds/curve.simhost.toml")),
    ],
    ..templates!("curve", python: None)
};

fn model(arguments: &New) -> Model {
    match (arguments.template, arguments.kind()) {
        (Some(ProjectTemplate::Estimator), _) => templates!("estimator"),
        (Some(ProjectTemplate::Servo), _) => templates!("servo"),
        (Some(ProjectTemplate::Curve), _) => CURVE,
        (None, Kind::Friction) => FRICTION,
        (None, Kind::Dynamics) => templates!("dynamics"),
        (None, Kind::Controller) => CONTROLLER,
        (None, Kind::Actuator) => templates!("actuator"),
        (None, Kind::Fleet) => templates!("fleet"),
        (None, Kind::Environment) => templates!("environment"),
        (None, Kind::Observer) => templates!("observer"),
        (None, Kind::Sensor) => templates!("sensor"),
        (None, Kind::Suspension) => templates!("suspension"),
    }
}

/// Returns the files of a project. With `full_name`, its world uses the full name of the class.
///
/// # Errors
/// Fails if the headers for C or C++ cannot be read, or if the language does not have the template.
pub fn files(arguments: &New, sdk: &Sdk, full_name: bool) -> Result<Vec<File>, Failure> {
    let model = model(arguments);
    let class = plugin_name::class(&arguments.name);
    let module = format!("{class}.py");
    let (world, commands) = (format!("{class}.world.xml"), format!("{class}.commands.csv"));
    let mut files: Vec<(&str, &str)> = match arguments.lang {
        Language::Rust => vec![
            ("Cargo.toml", template!("rust/Cargo.toml.in")),
            ("src/lib.rs", model.rust),
            ("tests/physics.rs", model.rust_tests),
            ("README.md", template!("rust/README.md")),
            (".gitignore", template!("rust/gitignore")),
        ],
        Language::C => vec![
            ("CMakeLists.txt", template!("c/CMakeLists.txt.in")),
            ("model.c", model.c),
            ("tests/physics.c", model.c_tests),
            ("README.md", template!("c/README.md")),
            (".gitignore", template!("c/gitignore")),
        ],
        Language::Cpp => vec![
            ("CMakeLists.txt", template!("cpp/CMakeLists.txt.in")),
            ("model.cpp", model.cpp),
            // the tests are valid in both languages
            ("tests/physics.cpp", model.c_tests),
            ("README.md", template!("cpp/README.md")),
            (".gitignore", template!("c/gitignore")),
        ],
        Language::Python => vec![
            (&module, model.python.ok_or_else(without_python)?),
            ("README.md", template!("python/README.md")),
            (".gitignore", template!("python/gitignore")),
        ],
    };
    files.push((&world, model.world));
    files.extend(model.commands.map(|text| (commands.as_str(), text)));
    files.extend(model.more);
    let placeholders = placeholders(arguments, sdk, full_name);
    let filled =
        |(place, text): (&str, &str)| (fill(place, &placeholders), fill(text, &placeholders));
    let mut files: Vec<File> = files.into_iter().map(filled).collect();
    match arguments.lang {
        Language::Rust => files.extend(sdk.source()),
        Language::C | Language::Cpp => {
            let headers = sdk.headers(arguments.lang)?.into_iter();
            files.extend(headers.map(|(name, text)| (format!("include/{name}"), text)));
        }
        Language::Python => {}
    }
    Ok(files)
}

fn without_python() -> Failure {
    let text = "this template is not available in Python, whose models have no file parameters\n\
                help: choose --lang rust, c or cpp";
    Failure::new(Code::BadInput, text)
}

/// Returns the placeholders of the templates with their values.
fn placeholders(arguments: &New, sdk: &Sdk, full_name: bool) -> [(&'static str, String); 12] {
    let class = plugin_name::class(&arguments.name);
    let New { vendor, name, .. } = arguments;
    let in_world = if full_name { format!("{vendor}/{class}") } else { class.clone() };
    [
        ("template-name", name.clone()),
        ("template-kind", arguments.kind().tag().to_owned()),
        ("template-class", in_world),
        ("template-sdk", sdk.dependency()),
        ("template-library", library(arguments)),
        ("template-commands", command_option(arguments)),
        ("template-build", build(arguments)),
        ("template-check", check(arguments)),
        ("template-cmake", with_cmake(arguments.lang).unwrap_or_default().to_owned()),
        ("template_vendor", vendor.clone()),
        ("TemplateName", plugin_name::type_name(name)),
        ("template_name", class),
    ]
}

fn fill(text: &str, placeholders: &[(&str, String)]) -> String {
    placeholders.iter().fold(text.to_owned(), |text, (word, value)| text.replace(word, value))
}

/// Returns the file name of the compiled plugin.
fn library(arguments: &New) -> String {
    let prefix = match arguments.lang {
        Language::Rust => std::env::consts::DLL_PREFIX,
        Language::C | Language::Cpp | Language::Python => "",
    };
    format!("{prefix}{}{}", plugin_name::class(&arguments.name), std::env::consts::DLL_SUFFIX)
}

fn command_option(arguments: &New) -> String {
    let commands = model(arguments).commands;
    let option = format!(" --commands {}.commands.csv", plugin_name::class(&arguments.name));
    commands.map_or_else(String::new, |_| option)
}

/// Returns the compiler of a language with the options that every file needs, or `None` for Cargo.
const fn compiler(language: Language) -> Option<(&'static str, &'static str)> {
    match language {
        Language::Rust | Language::Python => None,
        Language::C => Some(("cc -std=c99 -ffp-contract=off -Iinclude", ".c")),
        // without the last option, GCC lets all libraries of a process share the statics of a class
        Language::Cpp if cfg!(target_os = "linux") => Some((
            "c++ -std=c++17 -ffp-contract=off -Iinclude -fvisibility=hidden -fno-gnu-unique",
            ".cpp",
        )),
        Language::Cpp => {
            Some(("c++ -std=c++17 -ffp-contract=off -Iinclude -fvisibility=hidden", ".cpp"))
        }
    }
}

/// Returns the command that builds the plugin.
fn build(arguments: &New) -> String {
    match compiler(arguments.lang) {
        None => "cargo build --release".to_owned(),
        Some((compiler, suffix)) => format!(
            "mkdir -p plugins && {compiler} -O2 -shared -fPIC model{suffix} -o plugins/{} -lm",
            library(arguments)
        ),
    }
}

/// Returns the command that builds and runs the tests.
fn check(arguments: &New) -> String {
    match compiler(arguments.lang) {
        None if arguments.lang == Language::Python => {
            format!("simhost plugin check {}.py", plugin_name::class(&arguments.name))
        }
        None => "cargo test".to_owned(),
        Some((compiler, suffix)) => format!(
            "{compiler} model{suffix} tests/physics{suffix} -o physics -lm && ./physics && echo passed"
        ),
    }
}

/// Returns the command that builds and tests a project with CMake, for languages that use it.
pub const fn with_cmake(language: Language) -> Option<&'static str> {
    match language {
        Language::Rust | Language::Python => None,
        Language::C | Language::Cpp => {
            Some("cmake -S . -B build && cmake --build build && ctest --test-dir build")
        }
    }
}

/// Returns the commands that build, test and run the project, to be typed in its folder.
pub fn commands(arguments: &New) -> Vec<String> {
    let class = plugin_name::class(&arguments.name);
    let models = match arguments.lang {
        Language::Rust => "--plugin-dir target/release".to_owned(),
        Language::C | Language::Cpp => "--plugin-dir plugins".to_owned(),
        Language::Python => format!("--python {class}.py"),
    };
    let option = command_option(arguments);
    let run = format!("simhost {class}.world.xml {models}{option} --out out");
    match arguments.lang {
        Language::Python => vec![check(arguments), run],
        _ => vec![build(arguments), check(arguments), run],
    }
}

#[cfg(test)]
mod tests {
    use clap::ValueEnum;

    use super::*;
    use crate::arguments::KindName;

    fn arguments(kind: KindName, lang: Language) -> New {
        let name = "my-model".into();
        let (kind, template) = (Some(kind), None);
        New { name, kind, template, lang, sdk: None, vendor: "acme".into(), dir: None }
    }

    #[test]
    fn no_placeholder_is_left() {
        for lang in Language::ALL {
            let of_kinds = KindName::value_variants().iter().map(|kind| arguments(*kind, lang));
            let of_templates = ProjectTemplate::value_variants().iter().map(|template| New {
                kind: None,
                template: Some(*template),
                ..arguments(KindName::Sensor, lang)
            });
            for arguments in of_kinds.chain(of_templates) {
                let is_curve = arguments.template == Some(ProjectTemplate::Curve);
                if is_curve && lang == Language::Python {
                    let failure = files(&arguments, &Sdk::Embedded, true).unwrap_err();
                    assert!(failure.text.contains("not available in Python"), "{}", failure.text);
                    continue;
                }
                for (place, text) in files(&arguments, &Sdk::Embedded, true).unwrap() {
                    let text = (place + &text).to_lowercase();
                    for left in ["template-", "template_", "templatename"] {
                        assert!(!text.contains(left), "{left} in {text}");
                    }
                }
            }
        }
        assert_eq!(plugin_name::type_name("my-model"), "MyModel");
    }

    #[test]
    fn a_friction_model_is_short() {
        let lines = |text: &str| text.lines().filter(|line| !line.trim().is_empty()).count();
        assert!(lines(FRICTION.rust) <= 25, "{}", lines(FRICTION.rust));
        assert!(lines(FRICTION.c) <= 60, "{}", lines(FRICTION.c));
        assert!(lines(FRICTION.cpp) < lines(FRICTION.c), "{}", lines(FRICTION.cpp));
    }

    #[test]
    fn the_world_uses_the_full_name_of_an_ambiguous_class() {
        let arguments = arguments(KindName::Friction, Language::Rust);
        let world = |full| {
            let files = files(&arguments, &Sdk::Embedded, full).unwrap();
            let world = files.into_iter().find(|(place, _)| place.ends_with(".world.xml"));
            world.unwrap().1
        };
        assert!(world(true).contains("class=\"acme/my_model\""));
        assert!(world(false).contains("class=\"my_model\""));
    }
}
