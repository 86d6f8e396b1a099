//! FMUs of the tests.

use std::io::{Cursor, Write as _};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::OnceLock;

use zip::write::{SimpleFileOptions, ZipWriter};

/// Sets the program that runs the code of FMUs in separate processes: the example `serve`, which is built with the tests.
pub fn prepare() {
    let tests = std::env::current_exe().unwrap();
    let program = tests.parent().unwrap().with_file_name("examples").join("serve");
    assert!(program.is_file(), "{} is missing", program.display());
    simhost_cosim::set_server(program, Vec::new());
}

/// Versions of FMI.
pub const VERSIONS: [u32; 2] = [2, 3];

/// Variant of the library.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Variant {
    Steps,
    /// It accepts a state and does not restore it.
    Forgets,
    /// For model exchange.
    Exchange,
    /// It ends its process when it is loaded.
    #[allow(dead_code, reason = "it cannot be loaded into the process of the tests")]
    Dies,
}

/// What differs between the FMUs.
#[derive(Clone)]
pub struct Fmu {
    pub version: u32,
    /// Variables as `name|reference|causality|type|further attributes of the type`.
    pub variables: Vec<&'static str>,
    pub has_state: bool,
    pub variant: Variant,
    pub token: &'static str,
}

impl Fmu {
    pub fn new(version: u32, variables: &[&'static str]) -> Self {
        let variables = variables.to_vec();
        Self { version, variables, has_state: true, variant: Variant::Steps, token: "token-1" }
    }

    pub fn description(&self) -> String {
        let units = r#"<UnitDefinitions><Unit name="km/h"><BaseUnit m="1" s="-1" factor="0.5"/></Unit>
            <Unit name="N.m"><BaseUnit kg="1" m="2" s="-2"/></Unit></UnitDefinitions>"#;
        let (state, s) = (self.has_state, if self.version == 2 { "s" } else { "S" });
        let token = if self.version == 2 { "guid" } else { "instantiationToken" };
        let variables: String = self.variables.iter().map(|one| self.variable(one)).collect();
        let (kind, structure) = match (self.variant, self.version) {
            (Variant::Exchange, 2) => {
                ("ModelExchange", r#"<Derivatives><Unknown index="1"/></Derivatives>"#)
            }
            (Variant::Exchange, _) => {
                ("ModelExchange", r#"<ContinuousStateDerivative valueReference="5"/>"#)
            }
            _ => ("CoSimulation", ""),
        };
        format!(
            r#"<fmiModelDescription fmiVersion="{}.0" modelName="tested" {token}="{}">
            <{kind} modelIdentifier="tested" canGetAndSetFMU{s}tate="{state}" canSerializeFMU{s}tate="{state}"/>
            {units}<ModelVariables>{variables}</ModelVariables>
            <ModelStructure>{structure}</ModelStructure></fmiModelDescription>"#,
            self.version, self.token
        )
    }

    fn variable(&self, text: &str) -> String {
        let parts: Vec<&str> = text.splitn(5, '|').collect();
        let [name, reference, causality, kind, more] = parts[..] else { panic!("{text}") };
        let common =
            format!(r#"name="{name}" valueReference="{reference}" causality="{causality}""#);
        match self.version {
            2 => format!("<ScalarVariable {common}><{kind} {more}/></ScalarVariable>"),
            _ => {
                let kind = match kind {
                    "Real" => "Float64",
                    "Integer" => "Int32",
                    other => other,
                };
                format!("<{kind} {common} {more}/>")
            }
        }
    }

    /// Writes the FMU to a new file; `None` without a compiler.
    pub fn write(&self, folder: &Path) -> Option<PathBuf> {
        let library = std::fs::read(library(self.variant)?).unwrap();
        let description = self.description();
        let place = self.library_member();
        Some(write(folder, &[("modelDescription.xml", description.as_bytes()), (&place, &library)]))
    }

    /// Returns the compiled library; `None` without a compiler.
    pub fn library_file(&self) -> Option<&'static Path> {
        library(self.variant)
    }

    pub fn library_member(&self) -> String {
        let arch = std::env::consts::ARCH;
        let platform = match self.version {
            2 if arch == "x86_64" => "linux64".to_owned(),
            2 => format!("linux{arch}"),
            _ => format!("{arch}-linux"),
        };
        format!("binaries/{platform}/tested.so")
    }
}

/// Writes an archive to `folder/tested.fmu`.
pub fn write(folder: &Path, members: &[(&str, &[u8])]) -> PathBuf {
    let mut archive = ZipWriter::new(Cursor::new(Vec::new()));
    for (name, bytes) in members {
        archive.start_file(*name, SimpleFileOptions::default()).unwrap();
        archive.write_all(bytes).unwrap();
    }
    let path = folder.join("tested.fmu");
    std::fs::write(&path, archive.finish().unwrap().into_inner()).unwrap();
    path
}

/// Compiles the library once for each variant; `None` without a compiler.
fn library(variant: Variant) -> Option<&'static Path> {
    static BUILT: [OnceLock<Option<PathBuf>>; 4] = [const { OnceLock::new() }; 4];
    let built = BUILT[variant as usize].get_or_init(|| {
        if Command::new("cc").arg("--version").output().is_err() {
            eprintln!("skipped: there is no C compiler `cc`");
            return None;
        }
        let out = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!(
            "cosim-{}-{}.so",
            variant as usize,
            std::process::id()
        ));
        let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/model.c");
        let mut compiler = Command::new("cc");
        compiler.args([
            "-std=c11",
            "-O1",
            "-Wall",
            "-Wextra",
            "-Werror",
            "-ffp-contract=off",
            "-shared",
            "-fPIC",
        ]);
        compiler.args(match variant {
            Variant::Steps => None,
            Variant::Forgets => Some("-DFORGETS"),
            Variant::Exchange => Some("-DEXCHANGE"),
            Variant::Dies => Some("-DDIES"),
        });
        assert!(compiler.arg("-o").arg(&out).arg(source).status().unwrap().success());
        Some(out)
    });
    built.as_deref()
}
