//! World files that are too long, too deep or malformed.

use super::Case;
use super::files::{hole, repeat, world};

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

/// Length of a long file that is not yet refused for it, MiB. It has room for more elements than a world may have.
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
    Case {
        name: "200,000 nested tags",
        write: |w| world(w, &nested("a")),
        said: &["world.xml:2:", "--max-depth"],
    },
    Case {
        name: "200,000 nested tags that never close",
        write: |w| world(w, &"<a>".repeat(200_000)),
        said: &["world.xml:2:", "--max-depth"],
    },
    Case {
        name: "200,000 nested ifs",
        write: |w| world(w, &nested("if condition=\"1\"")),
        said: &["world.xml:2:", "--max-depth"],
    },
    Case {
        name: "200,000 nested tags in an included file",
        write: |w| {
            world(w, "<include file=\"inner.xml\"/>");
            w.write("inner.xml", &nested("vehicle"));
        },
        said: &["inner.xml:1:", "--max-depth"],
    },
    Case {
        name: "a vehicle file of 60,000 nested objects",
        write: |w| {
            let (open, close) = ("{\"a\":".repeat(60_000), "}".repeat(60_000));
            vehicle_file(w, &format!("{{\"version\": 1, \"dynamics\": {open}1{close}}}"));
        },
        said: &["car.json:1:", "--max-depth"],
    },
    Case {
        name: "a vehicle file of 80,000 unknown members",
        write: |w| {
            let members: String = (0..80_000).map(|n| format!(", \"k{n}\": 1")).collect();
            vehicle_file(w, &format!("{{\"version\": 1{members}}}"));
        },
        said: &["car.json:1:", "unknown attribute `k0`"],
    },
    Case {
        name: "a huge file of white space",
        write: |w| long(w, "", " ", "", HUGE),
        said: TOO_LONG,
    },
    Case {
        name: "a huge file of one comment",
        write: |w| long(w, "<!--", "x", "-->", HUGE),
        said: TOO_LONG,
    },
    Case {
        name: "a huge file of small elements",
        write: |w| long(w, "", "<a/>", "", HUGE),
        said: TOO_LONG,
    },
    Case {
        name: "200 MB in an included file",
        write: |w| {
            world(w, "<include file=\"big.xml\"/>");
            hole(&w.path("big.xml"), 200 << 20);
        },
        said: &["world.xml:2:", "big.xml", "--max-file-size"],
    },
    Case {
        name: "many files that are long together",
        write: |w| {
            let include = |n| format!("<include file=\"{n}.xml\"/>");
            // together 300 MiB, of which 256 may be read
            world(w, &(0..6).map(include).collect::<String>());
            for index in 0..6 {
                let name = format!("{index}.xml");
                repeat(w, &name, "<a/><!--", "x", "-->", 50);
            }
        },
        said: &["world.xml:2:", "all files together exceed", "--max-file-size"],
    },
    Case {
        name: "one long text",
        write: |w| long(w, "<gravity>", "x", "</gravity>", LONG),
        said: &["world.xml:2:", "gravity"],
    },
    Case {
        name: "one long attribute",
        write: |w| long(w, "<vehicle name=\"", "x", "\"/>", LONG),
        said: &["world.xml:2:"],
    },
    Case {
        name: "one long name",
        write: |w| long(w, "<", "x", "/>", LONG),
        said: &["world.xml:2:", "unknown element"],
    },
    Case {
        name: "one long tag that never closes",
        write: |w| long(w, "<", "x", "", LONG),
        said: &["world.xml:"],
    },
    Case {
        name: "a long file of attributes",
        write: |w| long(w, "<gui ", "a='' ", "/>", LONG),
        said: &["world.xml:2:", "more than 256 attributes"],
    },
    Case {
        name: "a long file of small elements",
        write: |w| long(w, "", "<a/>", "", LONG),
        said: &["world.xml:2:", "--max-elements"],
    },
    Case {
        name: "a million elements, each unknown",
        write: |w| long(w, "", "<abcdefgh x='<' y='&'/>\n", "", 21),
        said: &["world.xml:2:", "unknown element"],
    },
    Case {
        name: "a thousand mistakes at the end of a long line",
        write: |w| {
            let tail = format!("-->{}{}", "<zzz/>".repeat(999), "<a b='<'/>".repeat(999));
            long(w, "<!--", "x", &tail, LONG);
        },
        said: &["world.xml:2:", "unknown element"],
    },
    Case {
        name: "a long file of lines",
        write: |w| long(w, "", "\n", "<zzz/>", LONG),
        said: &["unknown element `<zzz>`"],
    },
    Case {
        name: "60 MB of elements with attributes",
        write: |w| long(w, "", "<a b='' c='' d='' e='' f='' g=''/>", "", 60),
        said: &["world.xml:2:", "exceed "],
    },
    Case {
        name: "a long file of ends",
        write: |w| long(w, "", "</a>", "", LONG),
        said: &["world.xml:2:", "without a start tag"],
    },
    Case {
        name: "a long file of unknown entities",
        write: |w| long(w, "<gravity>", "&x;", "</gravity>", LONG),
        said: &["world.xml:2:", "unknown entity"],
    },
    Case {
        name: "a long file of entities",
        write: |w| long(w, "<gravity>", "&amp;", "</gravity>", LONG),
        said: &["world.xml:2:"],
    },
    Case {
        name: "a long file of bytes that are not UTF-8",
        write: |w| {
            let mut bytes = OPEN.as_bytes().to_vec();
            bytes.resize(LONG << 20, 0xff);
            super::files::bytes(w, "world.xml", &bytes);
        },
        said: &["world.xml:"],
    },
    Case {
        name: "entities of entities",
        write: |w| {
            let entity = |n| format!("<!ENTITY e{n} \"{}\">", format!("&e{};", n - 1).repeat(10));
            let entities: String = (1..20).map(entity).collect();
            let head = format!("<!DOCTYPE w [<!ENTITY e0 \"x\">{entities}]>\n");
            w.write("world.xml", &format!("{head}{OPEN}<gravity>&e19;</gravity>{CLOSE}"));
        },
        said: &["world.xml:3:", "unknown entity"],
    },
    Case {
        name: "an entity that is a file",
        write: |w| {
            let head = "<!DOCTYPE w [<!ENTITY e SYSTEM \"file:///dev/zero\">]>\n";
            w.write("world.xml", &format!("{head}{OPEN}<gravity>&e;</gravity>{CLOSE}"));
        },
        said: &["world.xml:3:", "unknown entity"],
    },
    Case {
        name: "an empty file",
        write: |w| drop(w.write("world.xml", "")),
        said: &["no elements"],
    },
];
