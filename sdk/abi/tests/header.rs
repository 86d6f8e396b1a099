//! Comparison of the C header with the Rust types.
#![allow(clippy::unwrap_used)]

use std::collections::BTreeMap;
use std::fmt::Write;
use std::mem::{offset_of, size_of};
use std::process::Command;

use simhost_abi::{
    AliasesTable, ArrayPort, Batch, ChassisDesc, ClassesService, CommandDesc, Contact,
    ContactsService, Fault, GroundService, Head, ImageDesc, ImagesTable, MemoryTable, MigrateTable,
    Model, Neighbour, NeighbourQuery, NeighboursService, Observed, ObserverTable, ParamDesc,
    ParamScaling, Phase, Plugin, PortDesc, Ray, RayHit, RaysService, RunEnd, RunStart, Sample,
    Scaling, ScalingTable, SelftestTable, Services, Slice, SpatialTable, StateDesc, Str,
    SurfacePoint, SurfaceService, Value, WarningsTable, WheelDesc, WheelGeometry, WheelUse,
};

const HEADER: &str = include_str!("../../c/simhost_plugin.h");
const SOURCES: [&str; 10] = [
    include_str!("../src/values.rs"),
    include_str!("../src/kind.rs"),
    include_str!("../src/model.rs"),
    include_str!("../src/ability.rs"),
    include_str!("../src/sensor_image.rs"),
    include_str!("../src/scaling.rs"),
    include_str!("../src/observer.rs"),
    include_str!("../src/surroundings.rs"),
    include_str!("../src/contacts.rs"),
    include_str!("../src/roads.rs"),
];
/// Types for models in Rust, which the boundary does not have.
const ONLY_IN_RUST: [&str; 2] = ["SensorImage", "Distortion"];

/// Fields of each struct, by its name in C.
type Fields = BTreeMap<String, Vec<String>>;

/// Name in C, where `default` is a keyword.
fn c_field(field: &str) -> String {
    if field == "default" { "default_value".into() } else { field.into() }
}

fn c_struct(name: &str) -> String {
    let mut c_name = String::from("simhost");
    for c in name.chars() {
        if c.is_ascii_uppercase() {
            c_name.push('_');
        }
        c_name.push(c.to_ascii_lowercase());
    }
    // there is one slice type for each kind of item
    if name == "Slice" { "simhost_f64_slice".into() } else { c_name }
}

/// Fields of the structs in Rust source.
fn rust_structs() -> Fields {
    let mut structs = Fields::new();
    for source in SOURCES {
        for part in source.split("pub struct ").skip(1) {
            let name = part.split(['<', ' ']).next().unwrap();
            if ONLY_IN_RUST.contains(&name) {
                continue;
            }
            let fields = (part.split_once('{').unwrap().1.lines())
                .take_while(|line| line.trim() != "}")
                .filter_map(|line| line.trim().strip_prefix("pub "))
                .map(|field| c_field(field.split_once(':').unwrap().0))
                .collect();
            structs.insert(c_struct(name), fields);
        }
    }
    structs
}

fn without_comments(mut text: &str) -> String {
    let mut code = String::new();
    while let Some((before, rest)) = text.split_once("/*") {
        code.push_str(before);
        text = rest.split_once("*/").unwrap().1;
    }
    code + text
}

/// Fields of the structs in the header.
fn c_structs() -> Fields {
    let code = without_comments(HEADER).replace('\\', "");
    let mut structs = Fields::new();
    for part in code.split("struct ").skip(1) {
        let Some((name, rest)) = part.split_once('{') else { continue };
        let name = name.trim();
        if name.contains(|c: char| !c.is_ascii_alphanumeric() && c != '_') {
            continue;
        }
        let body = rest.split_once('}').unwrap().0;
        let fields = body.split(';').filter(|field| !field.trim().is_empty());
        let last_word = |field: &str| {
            // a pointer to a function has its name in brackets
            if let Some((_, name)) = field.split_once("(*") {
                return name.split_once(')').unwrap().0.to_owned();
            }
            let field = field.split('[').next().unwrap().trim_end();
            field.rsplit([' ', '*']).next().unwrap().to_owned()
        };
        // the macro that declares slices calls its struct `name`
        let name = if name == "name" { "simhost_f64_slice" } else { name };
        structs.insert(name.to_owned(), fields.map(last_word).collect());
    }
    structs
}

/// Value of a `#define` whose value is `UINTxx_C(…)`.
fn c_constants() -> BTreeMap<String, u64> {
    let mut constants = BTreeMap::new();
    for line in HEADER.lines() {
        let Some((name, rest)) =
            line.strip_prefix("#define ").and_then(|define| define.split_once(" UINT"))
        else {
            continue;
        };
        // a number that stands for none is the largest one
        let Some((_, digits)) = rest.split_once("_C(") else { continue };
        let digits = digits.split_once(')').unwrap().0;
        let value = match digits.strip_prefix("0x") {
            Some(hex) => u64::from_str_radix(hex, 16).unwrap(),
            None => digits.parse().unwrap(),
        };
        constants.insert(name.to_owned(), value);
    }
    constants
}

/// The constants of a module or an enum in Rust source, under their names in C.
fn rust_constants() -> BTreeMap<String, u64> {
    let groups = [
        ("pub mod fault_code", "SIMHOST_FAULT_"),
        ("pub mod end_reason", "SIMHOST_END_"),
        ("pub mod port_flag", "SIMHOST_PORT_FLAG_"),
        ("pub mod wheel_flag", "SIMHOST_WHEEL_FLAG_"),
        ("pub mod model_flag", "SIMHOST_MODEL_FLAG_"),
        ("pub mod param_flag", "SIMHOST_PARAM_FLAG_"),
        ("pub mod value_tag", "SIMHOST_VALUE_"),
        ("pub mod entity_kind", "SIMHOST_ENTITY_"),
        ("pub mod distortion", "SIMHOST_DISTORTION_"),
        ("pub enum ImageKind", "SIMHOST_IMAGE_"),
        ("pub enum Kind", "SIMHOST_KIND_"),
        ("pub enum Scope", "SIMHOST_SCOPE_"),
        ("pub enum StateKind", "SIMHOST_STATE_KIND_"),
        ("pub enum ParamKind", "SIMHOST_PARAM_"),
    ];
    let source = SOURCES.concat();
    let is_listed = |line: &&str| {
        let name = line.strip_prefix("pub mod ").or_else(|| line.strip_prefix("pub enum "));
        name.is_some_and(|name| !ONLY_IN_RUST.iter().any(|only| name.starts_with(only)))
    };
    let listed = source.lines().filter(is_listed);
    assert_eq!(listed.count(), groups.len(), "a group of constants is missing in this test");
    let mut constants = BTreeMap::new();
    for (group, prefix) in groups {
        let body =
            source.split_once(&format!("{group} {{")).unwrap().1.split_once("\n}").unwrap().0;
        for (name, value) in body.lines().filter_map(|line| line.split_once(" = ")) {
            let name = name.trim().trim_start_matches("pub const ").trim_end_matches(": u32");
            let value = value.trim_end_matches([';', ',']).parse().unwrap();
            constants.insert(format!("{prefix}{}", c_constant(name)), value);
        }
    }
    constants.insert("SIMHOST_MAGIC".into(), simhost_abi::MAGIC);
    constants.insert("SIMHOST_EPOCH".into(), simhost_abi::EPOCH.into());
    if cfg!(target_pointer_width = "64") {
        constants.insert("SIMHOST_FINGERPRINT_64".into(), simhost_abi::FINGERPRINT);
    }
    constants
}

/// Returns the name of a constant or a variant in upper case, with underscores between its words.
fn c_constant(name: &str) -> String {
    let mut upper = String::new();
    let mut follows_lower = false;
    for letter in name.chars() {
        if follows_lower && letter.is_ascii_uppercase() {
            upper.push('_');
        }
        follows_lower = letter.is_ascii_lowercase();
        upper.push(letter.to_ascii_uppercase());
    }
    upper
}

#[test]
fn structs_have_the_same_fields_in_the_same_order() {
    let (rust, c) = (rust_structs(), c_structs());
    assert_eq!(rust.len(), 50, "{:?}", rust.keys());
    assert!(rust.values().all(|fields| fields.len() > 1), "{rust:?}");
    assert_eq!(rust, c);
}

#[cfg(target_pointer_width = "64")]
#[test]
fn constants_are_equal() {
    let (rust, mut c) = (rust_constants(), c_constants());
    // simhost-sandbox computes it, and compares
    assert!(c.remove("SIMHOST_FINGERPRINT_WASM").is_some());
    assert_eq!(
        c["SIMHOST_FINGERPRINT_64"],
        simhost_abi::FINGERPRINT,
        "write {:#018x} into the header",
        simhost_abi::FINGERPRINT
    );
    assert_eq!(rust, c);
}

#[test]
fn the_symbol_is_the_one_the_header_declares() {
    assert!(HEADER.contains(&format!("const simhost_plugin {};", simhost_abi::SYMBOL)));
}

/// Size of a struct and offsets of its fields.
struct Layout {
    name: String,
    size: usize,
    offsets: Vec<(String, usize)>,
}

macro_rules! layouts {
    ($( $name:ident { $($field:ident),* } )*) => { vec![$( Layout {
        name: c_struct(stringify!($name)),
        size: size_of::<$name>(),
        offsets: vec![$( (c_field(stringify!($field)), offset_of!($name, $field)) ),*],
    } ),*] };
}

type F64Slice = Slice<f64>;

fn rust_layouts() -> Vec<Layout> {
    layouts! {
        Str { data, len }
        F64Slice { data, len }
        Value { tag, reserved, number, text, items }
        ParamDesc {
            size, kind, flags, count, key, aliases, doc, unit, scale, min, max, default, choices,
            children
        }
        PortDesc {
            size, scope, flags, reserved, name, unit, doc, default, key, key_unit, key_scale
        }
        StateDesc { size, scope, kind, reserved, name, unit, doc, initial, initial_key }
        CommandDesc { size, reserved, kind, ports }
        WheelDesc { size, flags, tag, x, y }
        WheelGeometry { x, y, yaw, radius }
        ChassisDesc { size, reserved, mass, z_min, z_max, polygon }
        Fault { code, text_len, lane, suggested_dt, text }
        ArrayPort { size, reserved, capacity, stride, counts, ages }
        Batch {
            size, wheels, first, count, wheel_stride, rays, time, dt, inputs, outputs, states,
            streams, memories, services, arrays
        }
        Services { size, reserved, context, find }
        Phase { size, reserved, id, inputs, outputs, call }
        Model {
            size, kind, flags, schema, id, version, doc, params, states, commands, wheels,
            chassis, phases, create, destroy, arrange, capacity, ability
        }
        Head { magic, epoch, size, fingerprint, layout_kind, layout }
        Plugin { head, vendor, name, version, models }
        MemoryTable { size, reserved, create, destroy, save, load }
        MigrateTable { size, reserved, migrate }
        GroundService { size, reserved, query }
        SelftestTable { size, reserved, panic }
        SpatialTable { size, reserved, is_spatial }
        AliasesTable { size, reserved, names }
        WheelUse { radius, load }
        WarningsTable { size, reserved, write }
        ImageDesc {
            size, kind, name, width, height, first_ray, fx, fy, cx, cy, distortion, reserved,
            coefficients, pose
        }
        ImagesTable { size, reserved, images }
        Scaling { constant_density, constant_mass }
        ParamScaling { size, reserved, exponents, children }
        ScalingTable { size, reserved, params }
        Observed { size, reserved, name, units, first }
        RunStart { size, reserved, quantities, name, folder, time, dt, period, seed }
        Sample { size, reserved, step, time, values }
        RunEnd { size, reason, text, last }
        ObserverTable { size, reserved, select, start, step, end, destroy }
        Ray { origin, direction, max_range, mask, reserved }
        RayHit { range, point, normal, entity, kind }
        NeighbourQuery { centre, radius, mask, reserved }
        Neighbour {
            distance, position, yaw, pitch, roll, velocity, yaw_rate, radius, box_min, box_max,
            entity, kind
        }
        SurfacePoint { height, normal, mu, c_rr, surface }
        RaysService { size, reserved, cast }
        NeighboursService { size, reserved, own, query }
        Contact { point, normal, force, entity, reserved }
        ContactsService { size, reserved, query }
        ClassesService { size, reserved, classify }
        SurfaceService { size, reserved, query }
    }
}

/// Compiles and runs a C program; returns what it prints.
fn run_c(program: &str) -> String {
    let dir = env!("CARGO_TARGET_TMPDIR");
    let (source, binary) = (format!("{dir}/layout.c"), format!("{dir}/layout"));
    std::fs::write(&source, program).unwrap();
    let compiler = std::env::var("CC").unwrap_or_else(|_| "cc".into());
    let include = concat!("-I", env!("CARGO_MANIFEST_DIR"), "/../c");
    let flags = ["-std=c99", "-Wall", "-Wextra", "-Werror", "-pedantic", include];
    let compiled = Command::new(compiler).args(flags).args([&source, "-o", &binary]).status();
    assert!(compiled.unwrap().success());
    String::from_utf8(Command::new(&binary).output().unwrap().stdout).unwrap()
}

#[test]
fn a_c_compiler_lays_the_structs_out_alike() {
    let mut program = String::from(
        "#include <stdio.h>\n#include \"simhost_plugin.h\"\n\
         #define P(text, number) printf(\"%s %u\\n\", text, (unsigned)(number));\n\
         int main(void) {\n",
    );
    let mut expected = String::new();
    let structs = rust_structs();
    for Layout { name, size, offsets } in rust_layouts() {
        let fields: Vec<_> = offsets.iter().map(|(field, _)| field.clone()).collect();
        assert_eq!(structs[&name], fields, "the list in this test lacks a field of {name}");
        writeln!(program, "P(\"{name}\", sizeof({name}))").unwrap();
        writeln!(expected, "{name} {size}").unwrap();
        for (field, offset) in offsets {
            writeln!(program, "P(\"{name}.{field}\", offsetof({name}, {field}))").unwrap();
            writeln!(expected, "{name}.{field} {offset}").unwrap();
        }
    }
    program.push_str("return 0;\n}\n");
    assert_eq!(run_c(&program), expected);
}
