//! Endless includes, loops, variables and expressions.

use super::Case;
use super::files::world;

/// All cases with the language of world files.
pub const CASES: &[Case] = &[
    Case {
        name: "an include of itself",
        write: |w| world(w, "<include file=\"world.xml\"/>"),
        said: &["world.xml:2:", "includes itself"],
    },
    Case {
        name: "includes in a circle of three, with arguments that change",
        write: |w| {
            world(w, "<include file=\"a.xml\" n=\"1\"/>");
            for (file, next) in [("a.xml", "b.xml"), ("b.xml", "c.xml"), ("c.xml", "./a.xml")] {
                w.write(file, &format!("<include file=\"{next}\" n=\"${{n}}${{n}}1\"/>"));
            }
        },
        said: &["c.xml:1:", "`./a.xml` includes itself"],
    },
    Case {
        name: "includes through links that lead to each other",
        write: |w| {
            world(w, "<include file=\"a.xml\"/>");
            w.write("a.xml", "<include file=\"b.xml\"/>");
            std::os::unix::fs::symlink("a.xml", w.path("b.xml")).unwrap();
        },
        said: &["a.xml:1:", "includes itself"],
    },
    Case {
        name: "a chain of a thousand includes",
        write: |w| {
            world(w, "<include file=\"0.xml\"/>");
            for index in 0..1000 {
                let next = format!("<include file=\"{}.xml\"/>", index + 1);
                w.write(&format!("{index}.xml"), &next);
            }
        },
        said: &[".xml:1:", "includes are nested more than 32 deep"],
    },
    Case {
        name: "each of ten files includes the next ten times",
        write: |w| {
            world(w, "<include file=\"0.xml\"/>");
            for index in 0..10 {
                let next = format!("<include file=\"{}.xml\"/>", index + 1);
                w.write(&format!("{index}.xml"), &format!("<a>{}</a>", next.repeat(10)));
            }
            w.write("10.xml", "<a/>");
        },
        said: &[".xml:1:", "--max-elements"],
    },
    Case {
        name: "a for to 10^9",
        write: |w| world(w, "<for var=\"i\" from=\"1\" to=\"1000000000\"><gui/></for>"),
        said: &["world.xml:2:", "--max-elements"],
    },
    Case {
        name: "a for to 10^9 with nothing in it",
        write: |w| world(w, "<for var=\"i\" from=\"1\" to=\"1000000000\"/>"),
        said: &["world.xml:2:", "--max-elements"],
    },
    Case {
        name: "fors of 10^5 in each other",
        write: |w| {
            let open = ["i", "j", "k", "l"]
                .map(|name| format!("<for var=\"{name}\" from=\"1\" to=\"100000\">"));
            let tags = "<block><init_pose>$f{i*j} $f{k*l} 0</init_pose></block>";
            world(w, &format!("{}{tags}{}", open.concat(), "</for>".repeat(4)));
        },
        said: &["world.xml:2:", "--max-elements"],
    },
    Case {
        name: "includes of other files in a for",
        write: |w| {
            world(w, "<for var=\"i\" from=\"1\" to=\"900000\"><include file=\"${i}.xml\"/></for>");
        },
        said: &["world.xml:2:", "cannot read"],
    },
    Case {
        name: "a broken file included in a for",
        write: |w| {
            world(w, "<for var=\"i\" from=\"1\" to=\"900000\"><include file=\"a.xml\"/></for>");
            w.write("a.xml", "<block>\n<mass");
        },
        said: &["a.xml:", "not XML", "world.xml:2:", "a.xml`: it has errors"],
    },
    Case {
        name: "an include with an argument in a for",
        write: |w| {
            let tag = "<include file=\"a.xml\" x=\"$f{sin(i)*cos(i)}\"/>";
            world(w, &format!("<for var=\"i\" from=\"1\" to=\"900000\">{tag}</for>"));
            w.write("a.xml", "<block><zmax>${x}</zmax></block>");
        },
        said: &["world.xml:2:", "--max-elements"],
    },
    Case {
        name: "a variable in each of 300,000 rounds",
        write: |w| {
            let tag = "<variable name=\"v${i}\" value=\"${i}\"/><zzz/>";
            world(w, &format!("<for var=\"i\" from=\"1\" to=\"300000\">{tag}</for>"));
        },
        said: &["world.xml:2:", "unknown element"],
    },
    Case {
        name: "a variable in each of 300,000 rounds within a vehicle",
        write: |w| {
            let tag = "<variable name=\"v${i}\" value=\"${i}\"/>";
            let rounds = format!("<for var=\"i\" from=\"1\" to=\"300000\">{tag}</for>");
            world(w, &format!("<vehicle name=\"v\">{rounds}</vehicle>"));
        },
        said: &["world.xml:2:", "has no pose"],
    },
    Case {
        name: "100,000 joints of bodies that are not there",
        write: |w| {
            let joint = "<joint type=\"rope\" body_a=\"b${i}\" body_b=\"none${i}\"/>";
            let block = "<block name=\"b${i}\"><init_pose>$f{2*i} 0 0</init_pose></block>";
            let rounds = format!("<for var=\"i\" from=\"1\" to=\"100000\">{block}{joint}</for>");
            world(w, &rounds);
        },
        said: &["world.xml:2:", "unknown body"],
    },
    Case {
        name: "100,000 blocks of classes that are not there",
        write: |w| {
            let class = "<block:class name=\"c${i}\"><mass>${i}</mass></block:class>";
            let block = "<block class=\"d${i}\"><init_pose>0 0 0</init_pose></block>";
            let rounds = format!("<for var=\"i\" from=\"1\" to=\"100000\">{class}{block}</for>");
            world(w, &rounds);
        },
        said: &["world.xml:2:", "there is no <block:class"],
    },
    Case {
        name: "a hundred thousand open brackets",
        write: |w| world(w, &format!("<gravity>$f{{{}</gravity>", "(".repeat(100_000) + "}")),
        said: &["world.xml:2:", "too deeply"],
    },
    Case {
        name: "a tower of powers",
        write: |w| world(w, &format!("<gravity>$f{{2{}}}</gravity>", "^2".repeat(100_000))),
        said: &["world.xml:2:", "too deeply"],
    },
    Case {
        name: "a power beyond all numbers",
        write: |w| world(w, "<gravity>$f{9^9^9^9^9}</gravity>"),
        said: &["world.xml:2:", "evaluates to inf"],
    },
    Case {
        name: "functions within functions",
        write: |w| {
            let (open, close) = ("max(1,".repeat(50_000), ")".repeat(50_000));
            world(w, &format!("<gravity>$f{{{open}1{close}}}</gravity>"));
        },
        said: &["world.xml:2:", "too deeply"],
    },
    Case {
        name: "a function of 50,000 values",
        write: |w| world(w, &format!("<gravity>$f{{max({}1)}}</gravity>", "1,".repeat(50_000))),
        said: &["world.xml:2:", "at most 1000 arguments"],
    },
    Case {
        name: "a sum of five million terms",
        write: |w| world(w, &format!("<gravity>$f{{{}x}}</gravity>", "1+".repeat(5_000_000))),
        said: &["world.xml:2:", "unknown name `x`"],
    },
    Case {
        name: "a variable that doubles 64 times",
        write: |w| {
            let double =
                |n| format!("<variable name=\"v{n}\" value=\"${{v{}}}${{v{0}}}\"/>", n - 1);
            let doubles: String = (1..=64).map(double).collect();
            let first = "<variable name=\"v0\" value=\"ab\"/>";
            world(w, &format!("{first}{doubles}<gravity>${{v64}}</gravity>"));
        },
        said: &["world.xml:2:", "grows without bound"],
    },
    Case {
        name: "an argument that doubles through thirty files",
        write: |w| {
            world(w, "<include file=\"0.xml\" a=\"ab\"/>");
            for index in 0..30 {
                let next = format!("<include file=\"{}.xml\" a=\"${{a}}${{a}}\"/>", index + 1);
                w.write(&format!("{index}.xml"), &next);
            }
            w.write("30.xml", "<gravity>${a}</gravity>");
        },
        said: &[".xml:1:", "grows without bound"],
    },
    Case {
        name: "a chain of half a million names",
        write: |w| {
            let tags = format!("<gravity>{}</gravity>", "${a}".repeat(500_000));
            world(w, &format!("<variable name=\"a\" value=\"1\"/>{tags}"));
        },
        said: &["world.xml:2:", "grows without bound"],
    },
    Case {
        name: "defaults within defaults",
        write: |w| {
            let (open, close) = ("${x|".repeat(100_000), "}".repeat(100_000));
            world(w, &format!("<gravity>{open}1{close}</gravity>"));
        },
        said: &["world.xml:2:", "without end"],
    },
    Case {
        name: "names that never close",
        write: |w| world(w, &format!("<gravity>{}</gravity>", "${x|".repeat(1_000_000))),
        said: &["world.xml:2:", "without a closing `}`"],
    },
    Case {
        name: "long values in a for",
        write: |w| {
            let long = format!("<variable name=\"a\" value=\"{}\"/>", "1".repeat(60_000));
            let tags = "<for var=\"i\" from=\"1\" to=\"300000\"><gui a=\"${a}\"/></for>";
            world(w, &format!("{long}{tags}"));
        },
        said: &["world.xml:2:", "exceed "],
    },
    Case {
        name: "a command of the shell",
        write: |w| world(w, "<gravity>$(sleep 100; echo 9)</gravity>"),
        said: &["world.xml:2:", "--allow shell"],
    },
];
