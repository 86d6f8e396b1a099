//! World files that are too long, too deep or malformed.

use super::files::{hole, repeat, world};
use super::{Case, case};

use crate::support::{OPTIMISED, Workspace};

const OPEN: &str = "<mvsim_world version=\"1.0\">\n";
const CLOSE: &str = "\n</mvsim_world>";

/// Returns 200,000 nested elements.
fn nested(tag: &str) -> String {
    let name = tag.split(' ').next().unwrap();
    format!("<{tag}>").repeat(200_000) + &format!("</{name}>").repeat(200_000)
}

/// Returns a world file of some size in MiB.
fn long(workspace: &Workspace, head: &str, unit: &str, tail: &str, mib: usize) {
    let (head, tail) = (format!("{OPEN}{head}"), format!("{tail}{CLOSE}"));
    repeat(workspace, "world.xml", &head, unit, &tail, mib);
}

/// Length of a long file that is just accepted, MiB. It can contain more elements than a world may
/// have.
const LONG: usize = if OPTIMISED { 60 } else { 5 };

/// Length of a file that is too long, MiB.
const HUGE: usize = if OPTIMISED { 200 } else { 66 };

/// Writes a world with a vehicle of this file.
fn vehicle_file(workspace: &Workspace, text: &str) {
    workspace.write("car.json", text);
    let vehicle = "<vehicle name=\"car\" file=\"car.json\"><init_pose>0 0 0</init_pose></vehicle>";
    world(workspace, vehicle);
}

const TOO_LONG: &[&str] = &["world.xml", "exceeds 64 MiB; raise --max-file-size"];

/// All cases with texts.
pub const CASES: &[Case] = &[
    case("200,000 nested tags", &["world.xml:2:", "--max-depth"], |w| world(w, &nested("a"))),
    case("200,000 nested tags that never close", &["world.xml:2:", "--max-depth"], |w| {
        world(w, &"<a>".repeat(200_000))
    }),
    case("200,000 nested ifs", &["world.xml:2:", "--max-depth"], |w| {
        world(w, &nested("if condition=\"1\""))
    }),
    case("200,000 nested tags in an included file", &["inner.xml:1:", "--max-depth"], |w| {
        world(w, "<include file=\"inner.xml\"/>");
        w.write("inner.xml", &nested("vehicle"));
    }),
    case("a vehicle file of 60,000 nested objects", &["car.json:1:", "--max-depth"], |w| {
        let (open, close) = ("{\"a\":".repeat(60_000), "}".repeat(60_000));
        vehicle_file(w, &format!("{{\"version\": 1, \"dynamics\": {open}1{close}}}"));
    }),
    case(
        "a vehicle file of 80,000 unknown members",
        &["car.json:1:", "unknown attribute `k0`"],
        |w| {
            let members: String = (0..80_000).map(|n| format!(", \"k{n}\": 1")).collect();
            vehicle_file(w, &format!("{{\"version\": 1{members}}}"));
        },
    ),
    case("a huge file of white space", TOO_LONG, |w| long(w, "", " ", "", HUGE)),
    case("a huge file of one comment", TOO_LONG, |w| long(w, "<!--", "x", "-->", HUGE)),
    case("a huge file of small elements", TOO_LONG, |w| long(w, "", "<a/>", "", HUGE)),
    case("200 MB in an included file", &["world.xml:2:", "big.xml", "--max-file-size"], |w| {
        world(w, "<include file=\"big.xml\"/>");
        hole(&w.path("big.xml"), 200 << 20);
    }),
    case(
        "many files that are long together",
        &["world.xml:2:", "all files together exceed", "--max-file-size"],
        |w| {
            let include = |n| format!("<include file=\"{n}.xml\"/>");
            // together 300 MiB, of which 256 may be read
            world(w, &(0..6).map(include).collect::<String>());
            for index in 0..6 {
                let name = format!("{index}.xml");
                repeat(w, &name, "<a/><!--", "x", "-->", 50);
            }
        },
    ),
    case("one long text", &["world.xml:2:", "gravity"], |w| {
        long(w, "<gravity>", "x", "</gravity>", LONG)
    }),
    case("one long attribute", &["world.xml:2:"], |w| {
        long(w, "<vehicle name=\"", "x", "\"/>", LONG)
    }),
    case("one long name", &["world.xml:2:", "unknown element"], |w| long(w, "<", "x", "/>", LONG)),
    case("one long tag that never closes", &["world.xml:"], |w| long(w, "<", "x", "", LONG)),
    case("a long file of attributes", &["world.xml:2:", "more than 256 attributes"], |w| {
        long(w, "<gui ", "a='' ", "/>", LONG)
    }),
    case("a long file of small elements", &["world.xml:2:", "--max-elements"], |w| {
        long(w, "", "<a/>", "", LONG)
    }),
    case("a million elements, each unknown", &["world.xml:2:", "unknown element"], |w| {
        long(w, "", "<abcdefgh x='<' y='&'/>\n", "", 21)
    }),
    case(
        "a thousand mistakes at the end of a long line",
        &["world.xml:2:", "unknown element"],
        |w| {
            let tail = format!("-->{}{}", "<zzz/>".repeat(999), "<a b='<'/>".repeat(999));
            long(w, "<!--", "x", &tail, LONG);
        },
    ),
    case("a long file of lines", &["unknown element `<zzz>`"], |w| {
        long(w, "", "\n", "<zzz/>", LONG)
    }),
    case("60 MB of elements with attributes", &["world.xml:2:", "exceed "], |w| {
        long(w, "", "<a b='' c='' d='' e='' f='' g=''/>", "", 60)
    }),
    case("a long file of ends", &["world.xml:2:", "without a start tag"], |w| {
        long(w, "", "</a>", "", LONG)
    }),
    case("a long file of unknown entities", &["world.xml:2:", "unknown entity"], |w| {
        long(w, "<gravity>", "&x;", "</gravity>", LONG)
    }),
    case("a long file of entities", &["world.xml:2:"], |w| {
        long(w, "<gravity>", "&amp;", "</gravity>", LONG)
    }),
    case("a long file of bytes that are not UTF-8", &["world.xml:"], |w| {
        let mut bytes = OPEN.as_bytes().to_vec();
        bytes.resize(LONG << 20, 0xff);
        super::files::bytes(w, "world.xml", &bytes);
    }),
    case("entities of entities", &["world.xml:3:", "unknown entity"], |w| {
        let entity = |n| format!("<!ENTITY e{n} \"{}\">", format!("&e{};", n - 1).repeat(10));
        let entities: String = (1..20).map(entity).collect();
        let head = format!("<!DOCTYPE w [<!ENTITY e0 \"x\">{entities}]>\n");
        w.write("world.xml", &format!("{head}{OPEN}<gravity>&e19;</gravity>{CLOSE}"));
    }),
    case("an entity that is a file", &["world.xml:3:", "unknown entity"], |w| {
        let head = "<!DOCTYPE w [<!ENTITY e SYSTEM \"file:///dev/zero\">]>\n";
        w.write("world.xml", &format!("{head}{OPEN}<gravity>&e;</gravity>{CLOSE}"));
    }),
    case("an empty file", &["no elements"], |w| drop(w.write("world.xml", ""))),
];
