//! Worlds whose FMUs cannot be used.

use simhost_cosim::{FmuArchive, FmuDescription};

use crate::fmu::{Fmu, write};
use crate::worlds::{CONTROLLED, controller, open, open_in};

const FREE: &str = r#"<friction class="default"/>"#;

/// Checks that a world with an FMU has an error with the texts.
#[track_caller]
fn refuses(fmu: &Fmu, controlled: &str, texts: &[&str]) {
    let Some(opened) = open(fmu, controlled, FREE) else { return };
    let error = opened.err().expect("the FMU is refused");
    expect(&error, texts);
}

#[track_caller]
fn expect(error: &simhost::Error, texts: &[&str]) {
    assert!(matches!(error, simhost::Error::Load(_)), "{error}");
    let text = error.to_string();
    for expected in texts {
        assert!(text.contains(expected), "{text}\nexpected {expected}");
    }
}

fn with(variable: &'static str) -> Fmu {
    let mut fmu = controller(2);
    fmu.variables.insert(0, variable);
    fmu
}

#[test]
fn variables_that_do_not_fit_are_named_with_what_was_expected() {
    let mapped = |map: &str| CONTROLLED.replace("</controller>", &format!("{map}</controller>"));
    let texts = ["tested.fmu", "\"Spd\"", "did you mean \"Speed\"?"];
    refuses(&controller(2), &CONTROLLED.replace("\"Speed\"", "\"Spd\""), &texts);
    let fmu = with(r#"u|1|input|Real|unit="furlong""#);
    refuses(
        &fmu,
        &mapped(r#"<map port="vy" variable="u"/>"#),
        &["\"u\" is in furlong", "port `vy` is in m/s"],
    );
    let fmu = with(r#"u|1|input|String|start="""#);
    refuses(
        &fmu,
        &mapped(r#"<map port="vy" variable="u"/>"#),
        &["\"u\"", "is a text; expected a number"],
    );
    refuses(
        &controller(2),
        &mapped(r#"<map port="vy" variable="gain"/>"#),
        &["\"gain\"", "neither an input nor an output"],
    );
    let wrong = CONTROLLED.replace("\"torque_left\"", "\"torque_lft\"");
    refuses(&controller(2), &wrong, &["torque_lft", "did you mean `torque_left`?"]);
    let incomplete = CONTROLLED.replace("variable=\"torque\"", "varable=\"torque\"");
    refuses(&controller(2), &incomplete, &["missing `variable` in `<map>`", "unknown attribute"]);
    refuses(&with("omga|1|input|Real|"), CONTROLLED, &["omga", "did you mean `omega`?"]);
    let twice = with(r#"vx|1|input|Real|"#);
    refuses(&twice, CONTROLLED, &["\"vx\" and \"Speed\" are both port `vx`"]);
    refuses(&controller(2), &CONTROLLED.replace(">0<", ">21<"), &["gain", "20"]);
}

#[test]
fn wrong_token_platform_and_archives_are_refused() {
    refuses(
        &Fmu { token: "other", ..controller(2) },
        CONTROLLED,
        &["fmi2Instantiate", "wrong token"],
    );
    refuses(
        &Fmu { token: "other", ..controller(3) },
        CONTROLLED,
        &["fmi3Instantiate", "wrong token"],
    );
    let description = controller(2).description();
    let with_members = |members: &[(&str, &[u8])], texts: &[&str]| {
        let folder = tempfile::tempdir().unwrap();
        write(folder.path(), members);
        expect(&open_in(&folder, CONTROLLED, FREE).err().unwrap(), texts);
    };
    let member = controller(2).library_member();
    let own = ("modelDescription.xml", description.as_bytes());
    with_members(
        &[own, ("binaries/amiga/tested.so", b"")],
        &["expected binaries/", "found platforms: amiga"],
    );
    with_members(&[own, (&member, b"no library")], &["cannot load its library"]);
    with_members(&[own, ("../evil", b"")], &["\"../evil\" leads out of the archive"]);
    with_members(&[("resources/a", b"")], &["modelDescription.xml is missing"]);
    let bomb = vec![b' '; (1 << 24) + 1];
    with_members(&[("modelDescription.xml", &bomb)], &["larger than 16 MiB"]);
    let entities = format!("<!DOCTYPE a [<!ENTITY b \"c\">]>{description}");
    with_members(&[("modelDescription.xml", entities.as_bytes())], &["document type"]);
    let neither = description.replace("CoSimulation", "ScheduledExecution");
    with_members(
        &[("modelDescription.xml", neither.as_bytes())],
        &["<CoSimulation> and <ModelExchange> are missing"],
    );
    let exchange = description.replace("CoSimulation", "ModelExchange");
    for with_events in [
        exchange.replace("fmiVersion", "numberOfEventIndicators=\"2\" fmiVersion"),
        exchange.replace(
            "<ModelStructure>",
            "<ModelStructure><EventIndicator valueReference=\"3\"/><EventIndicator/>",
        ),
    ] {
        let texts = ["2 event indicators", "model exchange without state events"];
        with_members(&[("modelDescription.xml", with_events.as_bytes())], &texts);
    }
    // a library that can only take steps
    let Some(library) = controller(2).library_file() else { return };
    let library = std::fs::read(library).unwrap();
    with_members(
        &[("modelDescription.xml", exchange.as_bytes()), (&member, &library)],
        &["no function fmi2NewDiscreteStates"],
    );
    let old = description.replace("fmiVersion=\"2.0\"", "fmiVersion=\"1.0\"");
    with_members(&[("modelDescription.xml", old.as_bytes())], &["\"1.0\"; expected 2.0 or 3.0"]);
    let path = description.replace("modelIdentifier=\"tested\"", "modelIdentifier=\"../t\"");
    with_members(&[("modelDescription.xml", path.as_bytes())], &["expected a file name"]);
}

#[test]
fn code_runs_only_if_it_is_allowed() {
    let folder = tempfile::tempdir().unwrap();
    if controller(2).write(folder.path()).is_none() {
        return;
    }
    let text = format!(
        "<mvsim_world><vehicle name='r'><dynamics class='differential'>{CONTROLLED}</dynamics></vehicle></mvsim_world>"
    );
    let error = simhost::Session::from_text(
        &text,
        folder.path().join("w.xml"),
        simhost::Options::default(),
    );
    expect(&error.err().unwrap(), &["contains code", "--allow fmu"]);
}

#[test]
fn noise_is_neither_an_archive_nor_a_description() {
    assert!(FmuArchive::read(b"PK\x03\x04noise".to_vec()).is_err());
    let text = controller(3).description();
    for end in (0..text.len()).step_by(7) {
        assert!(FmuDescription::read(&text[..end]).is_err());
    }
    assert_eq!(FmuDescription::read(&text).unwrap().variables.len(), 7);
}
