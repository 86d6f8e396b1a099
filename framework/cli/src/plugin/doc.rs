//! `simhost plugin doc`: describes a class for its users.

use simhost_abi::{Kind, model_flag};
use simhost_registry::page::{ChassisPage, ModelPage, ParameterPage, PhasePage, PortPage};
use simhost_registry::{Catalogue, Entry};

use super::check;
use super::document::{self, Block, table};
use super::example::example;
use crate::plugin::Doc;
use crate::process::{Code, Failure};
use crate::{catalogue, terminal};

/// Describes a class.
pub fn doc(arguments: &Doc) -> Result<Code, Failure> {
    let catalogue = catalogue::collect(&arguments.models)?;
    let entries = check::classes(&catalogue, &arguments.class)?;
    let place = |entry: &Entry| catalogue.libraries()[entry.library].place();
    let blocks = entries.iter().flat_map(|entry| describe(&catalogue, entry, &place(entry)));
    let blocks: Vec<Block> = blocks.collect();
    let text = if arguments.markdown {
        document::markdown(&blocks)
    } else {
        document::text(&blocks, terminal::width())
    };
    terminal::document(&text)?;
    Ok(Code::Done)
}

/// Returns the description of a class as Markdown.
pub fn markdown(catalogue: &Catalogue, entry: &Entry) -> String {
    let place = catalogue.libraries()[entry.library].place();
    document::markdown(&describe(catalogue, entry, &place))
}

/// Returns the description of a class as a page in HTML. It names the file of a plugin without its folder.
pub fn page(catalogue: &Catalogue, entry: &Entry) -> String {
    let library = &catalogue.libraries()[entry.library];
    let file = library.file.as_ref().and_then(|file| file.file_name());
    let place = file.map_or_else(|| library.place(), |name| name.to_string_lossy().into_owned());
    document::html(&entry.full_name(), &describe(catalogue, entry, &place))
}

fn describe(catalogue: &Catalogue, entry: &Entry, place: &str) -> Vec<Block> {
    let mut blocks = Vec::new();
    for (number, variant) in entry.variants.iter().enumerate() {
        let page = ModelPage::of(entry.kind, &entry.vendor, variant.model);
        let which = match entry.variants.len() {
            1 => String::new(),
            many => format!(", variant {} of {many}", number + 1),
        };
        blocks.push(Block::Heading(1, format!("{} {}{which}", page.kind, page.full_name)));
        blocks.push(Block::Paragraph(page.doc.to_owned()));
        blocks.push(Block::Paragraph(format!("Version {}, {place}.", page.version)));
        let notes = notes(entry.kind, variant.model.flags);
        blocks.extend(notes.map(|note| Block::Paragraph(note.to_owned())));
        blocks.extend(declarations(&page));
        blocks.push(Block::Heading(2, "Example".into()));
        blocks.push(Block::Code(example(catalogue, entry, variant, &page)));
    }
    blocks
}

/// Returns notes about what a model does.
fn notes(kind: Kind, flags: u32) -> impl Iterator<Item = &'static str> {
    let has = |flag| flags & flag != 0;
    let observes = kind == Kind::Observer;
    let notes = [
        (
            observes && has(model_flag::STOPS),
            "It can end the run. Without a duration, a run lasts until it does.",
        ),
        (observes && !has(model_flag::STOPS), "It does not end the run."),
        (has(model_flag::PERCEIVES), "It perceives the vehicles and obstacles around it."),
        (
            has(model_flag::TIME_INVARIANT),
            "It is time-invariant: the time of the run does not change what it computes.",
        ),
    ];
    notes.into_iter().filter_map(|(is, note)| is.then_some(note))
}

/// Returns the declarations of a model: one table each for parameters, ports, states and so on.
pub fn declarations(model: &ModelPage) -> Vec<Block> {
    let mut blocks = Vec::new();
    parameters(&mut blocks, "Parameters", &model.parameters);
    let set_points = model
        .phases
        .iter()
        .flat_map(PhasePage::set_points)
        .map(|port| [port.key, unit(port.key_unit), port.doc].map(str::to_owned));
    push(&mut blocks, "Setpoints", table(["NAME", "UNIT", "MEANING"], set_points));
    for phase in &model.phases {
        push(&mut blocks, &format!("Read in {}", phase.id), ports(&phase.inputs, "optional"));
        push(&mut blocks, &format!("Written in {}", phase.id), ports(&phase.outputs, "published"));
    }
    push(&mut blocks, "States", states(model));
    push(&mut blocks, "Commands", commands(model));
    push(&mut blocks, "Wheels", wheels(model));
    if let Some(chassis) = &model.chassis {
        blocks.push(Block::Heading(2, "Chassis".into()));
        blocks.push(Block::Paragraph(outline(chassis)));
    }
    blocks
}

fn states(model: &ModelPage) -> document::Table {
    let rows = model.states.iter().map(|state| {
        let start = match state.initial_from {
            "" => state.initial.to_string(),
            key => key.to_owned(),
        };
        let [name, scope, doc] = [state.name, state.scope, state.doc].map(str::to_owned);
        [name, unit(state.unit).to_owned(), scope, start, doc]
    });
    table(["NAME", "UNIT", "SCOPE", "INITIAL", "MEANING"], rows)
}

fn commands(model: &ModelPage) -> document::Table {
    let rows = model.commands.iter().map(|command| {
        let values = command.values.iter();
        let values = values.map(|name| if name.is_empty() { "(ignored)" } else { name });
        [command.kind.to_owned(), values.collect::<Vec<_>>().join(", ")]
    });
    table(["KIND", "VALUES"], rows)
}

fn wheels(model: &ModelPage) -> document::Table {
    let rows = model.wheels.iter().map(|wheel| {
        let placed = if wheel.placed_by_model { "the model" } else { "the world file" };
        [format!("<{}>", wheel.tag), wheel.x.to_string(), wheel.y.to_string(), placed.to_owned()]
    });
    table(["TAG", "X, M", "Y, M", "PLACED BY"], rows)
}

fn outline(chassis: &ChassisPage) -> String {
    let corners = chassis.polygon.chunks_exact(2);
    let corners = corners.map(|corner| format!("({}, {})", corner[0], corner[1]));
    let corners = corners.collect::<Vec<_>>().join(" ");
    let ChassisPage { mass, z_min, z_max, .. } = chassis;
    format!("{mass} kg, from {z_min} to {z_max} m above the ground; corners {corners} m.")
}

/// Appends a table under a heading, unless the table is empty.
fn push(blocks: &mut Vec<Block>, heading: &str, table: document::Table) {
    if !table.rows.is_empty() {
        blocks.push(Block::Heading(2, heading.to_owned()));
        blocks.push(Block::Table(table));
    }
}

fn parameters(blocks: &mut Vec<Block>, heading: &str, parameters_of: &[ParameterPage]) {
    let rows = parameters_of.iter().map(|parameter| {
        let names = std::iter::once(parameter.key).chain(parameter.aliases.iter().copied());
        let default = match &parameter.default {
            _ if parameter.required => "required".to_owned(),
            Some(default) => default.clone(),
            None => "-".to_owned(),
        };
        [
            names.collect::<Vec<_>>().join(", "),
            parameter.kind.to_owned(),
            unit(parameter.unit).to_owned(),
            parameter.range(),
            default,
            match parameter.per_lane {
                true => format!("{} (per lane)", parameter.doc),
                false => parameter.doc.to_owned(),
            },
        ]
    });
    let header = ["NAME", "TYPE", "UNIT", "RANGE", "DEFAULT", "MEANING"];
    push(blocks, heading, table(header, rows));
    for group in parameters_of.iter().filter(|parameter| !parameter.parts.is_empty()) {
        parameters(blocks, &format!("In `{}`", group.key), &group.parts);
    }
}

/// Returns the table of the inputs or outputs of a phase. `optional` describes the optional ones.
fn ports(ports: &[PortPage], optional: &str) -> document::Table {
    let rows = ports.iter().map(|port| {
        let mut about = port.doc.to_owned();
        let notes = [
            (port.command, "set by commands only"),
            (port.required, "required"),
            (port.optional, optional),
        ];
        for (is, note) in notes {
            if is {
                about = format!("{about} ({note})");
            }
        }
        [port.name.to_owned(), unit(port.unit).to_owned(), port.scope.to_owned(), about]
    });
    table(["NAME", "UNIT", "SCOPE", "MEANING"], rows)
}

fn unit(unit: &str) -> &str {
    if matches!(unit, "" | "1") { "-" } else { unit }
}
