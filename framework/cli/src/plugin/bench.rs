//! `simhost plugin bench`: measures the time per call.

use simhost_abi::Kind;
use simhost_model::{Classes, ModelRef};
use simhost_registry::Catalogue;
use simhost_validator::bench::{BATCHES, Speed, bench as measure};

use super::document::{self, Block, table};
use super::subject;
use crate::exit::{Code, Failure};
use crate::plugin::PluginSubject;
use crate::terminal::json;
use crate::{catalogue, terminal};

/// Smallest gain of a batch over single lanes that indicates a vectorized loop.
const LEAST_GAIN: f64 = 1.1;

/// Measures a class, or all classes of a file, next to the built-in model of the same kind.
pub fn bench(arguments: &PluginSubject) -> Result<Code, Failure> {
    let (catalogue, mut models) = models(arguments)?;
    let own = models.len();
    for kind in Kind::ALL {
        let is_of = |class: &ModelRef| class.model.kind == kind as u32;
        let base = format!("simhost/{}", base(kind));
        let found = catalogue.find(kind, &base).ok();
        if models[..own].iter().any(is_of)
            && !models[..own].iter().any(|class| *class.full_name == *base)
        {
            models.extend(found.iter().flatten().take(1).cloned());
        }
    }
    let speeds = measure(&models).map_err(|text| Failure::new(Code::BadInput, text))?;
    if arguments.json {
        terminal::document(&json(&speeds))?;
    } else {
        let blocks = [Block::Heading(1, "ns per lane, by batch size".into()), rows(&speeds)];
        terminal::document(&document::text(&blocks, terminal::width()))?;
    }
    warn(&speeds[..own]);
    Ok(Code::Done)
}

/// Returns the built-in class that models of a kind are compared with, or an empty text for a kind
/// without built-in classes.
const fn base(kind: Kind) -> &'static str {
    match kind {
        Kind::Friction => "default",
        Kind::Dynamics => "differential",
        Kind::Controller => "raw",
        Kind::Actuator => "first_order_lag",
        Kind::Fleet => "",
        Kind::Environment => "steady_wind",
        Kind::Observer => "stop_when",
        Kind::Suspension => "linear",
        Kind::Sensor => "laser",
    }
}

fn models(arguments: &PluginSubject) -> Result<(Catalogue, Vec<ModelRef>), Failure> {
    let name = arguments.subject.to_string_lossy();
    let (catalogue, of_file) = if subject::is_file(&arguments.subject) {
        (catalogue::of_file(&arguments.subject, true)?, true)
    } else {
        (catalogue::search(&arguments.models, false)?, false)
    };
    let entries = if of_file {
        let library = catalogue.libraries().iter().position(|library| library.file.is_some());
        let refusal = library.and_then(|place| catalogue.libraries()[place].refusal.as_ref());
        if let Some(refusal) = refusal {
            return Err(Failure::new(Code::BadInput, format!("{name}: it {refusal}")));
        }
        catalogue.entries().iter().filter(|entry| Some(entry.library) == library).collect()
    } else {
        subject::classes(&catalogue, &name)?
    };
    let models = entries.iter().flat_map(|entry| entry.variants.iter().cloned()).collect();
    Ok((catalogue, models))
}

fn rows(speeds: &[Speed]) -> Block {
    let mut header = vec!["CLASS".to_owned(), "KIND".to_owned()];
    header.extend(BATCHES.map(|lanes| lanes.to_string()));
    header.extend(["GAIN", "VS BUILT-IN"].map(str::to_owned));
    let header: [String; 9] = header.try_into().expect("a row has one cell per column");
    let rows = speeds.iter().map(|speed| {
        let mut row = vec![speed.class.clone(), speed.kind.to_owned()];
        row.extend(speed.batches.iter().map(|timing| format!("{:.1}", timing.ns_per_lane)));
        // an observer has no batches
        row.resize(2 + BATCHES.len(), "-".to_owned());
        row.push(speed.gain().map_or_else(|| "-".to_owned(), |gain| format!("{gain:.1}")));
        row.push(ratio(speed, speeds));
        <[String; 9]>::try_from(row).expect("a row has one cell per column")
    });
    Block::Table(table(header, rows))
}

/// Returns the time in the largest batch relative to the built-in model of the kind.
fn ratio(speed: &Speed, speeds: &[Speed]) -> String {
    let kind = Kind::ALL.into_iter().find(|kind| kind.tag() == speed.kind);
    let base = kind.map(|kind| format!("simhost/{}", base(kind))).unwrap_or_default();
    let base = speeds.iter().find(|one| one.class == base && one.kind == speed.kind);
    let last = |speed: &Speed| speed.batches.last().map_or(f64::NAN, |timing| timing.ns_per_lane);
    base.map_or("-".into(), |base| format!("{:.2}", last(speed) / last(base)))
}

fn warn(speeds: &[Speed]) {
    // the vehicles of a fleet depend on each other
    let in_batches = speeds.iter().filter(|speed| speed.kind != Kind::Fleet.tag());
    for speed in in_batches {
        let Some(gain) = speed.gain().filter(|gain| *gain < LEAST_GAIN) else { continue };
        terminal::warning(&format!(
            "{} does not gain from batches ({gain:.2} times faster than lane by lane). Function calls that \
             are not inlined, such as those into the C library, early returns, and memory in addition to \
             the state slots prevent vectorization\nhelp: use the functions of `math` in the SDK, \
             and select values instead of branching",
            speed.class
        ));
    }
}
