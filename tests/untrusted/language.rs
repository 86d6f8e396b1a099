//! Endless includes, loops, variables and expressions.

use super::files::world;
use super::{Case, case};

/// All cases with the language of world files.
pub const CASES: &[Case] = &[
    case("an include of itself", &["world.xml:2:", "includes itself"], |w| {
        world(w, "<include file=\"world.xml\"/>")
    }),
    case(
        "includes in a circle of three, with arguments that change",
        &["c.xml:1:", "`./a.xml` includes itself"],
        |w| {
            world(w, "<include file=\"a.xml\" n=\"1\"/>");
            for (file, next) in [("a.xml", "b.xml"), ("b.xml", "c.xml"), ("c.xml", "./a.xml")] {
                w.write(file, &format!("<include file=\"{next}\" n=\"${{n}}${{n}}1\"/>"));
            }
        },
    ),
    case("includes through links that lead to each other", &["a.xml:1:", "includes itself"], |w| {
        world(w, "<include file=\"a.xml\"/>");
        w.write("a.xml", "<include file=\"b.xml\"/>");
        std::os::unix::fs::symlink("a.xml", w.path("b.xml")).unwrap();
    }),
    case(
        "a chain of a thousand includes",
        &[".xml:1:", "includes are nested more than 32 deep"],
        |w| {
            world(w, "<include file=\"0.xml\"/>");
            for index in 0..1000 {
                let next = format!("<include file=\"{}.xml\"/>", index + 1);
                w.write(&format!("{index}.xml"), &next);
            }
        },
    ),
    case("each of ten files includes the next ten times", &[".xml:1:", "--max-elements"], |w| {
        world(w, "<include file=\"0.xml\"/>");
        for index in 0..10 {
            let next = format!("<include file=\"{}.xml\"/>", index + 1);
            w.write(&format!("{index}.xml"), &format!("<a>{}</a>", next.repeat(10)));
        }
        w.write("10.xml", "<a/>");
    }),
    case("a for to 10^9", &["world.xml:2:", "--max-elements"], |w| {
        world(w, "<for var=\"i\" from=\"1\" to=\"1000000000\"><gui/></for>")
    }),
    case("a for to 10^9 with nothing in it", &["world.xml:2:", "--max-elements"], |w| {
        world(w, "<for var=\"i\" from=\"1\" to=\"1000000000\"/>")
    }),
    case("fors of 10^5 in each other", &["world.xml:2:", "--max-elements"], |w| {
        let open = ["i", "j", "k", "l"]
            .map(|name| format!("<for var=\"{name}\" from=\"1\" to=\"100000\">"));
        let tags = "<block><init_pose>$f{i*j} $f{k*l} 0</init_pose></block>";
        world(w, &format!("{}{tags}{}", open.concat(), "</for>".repeat(4)));
    }),
    case("includes of other files in a for", &["world.xml:2:", "cannot read"], |w| {
        world(w, "<for var=\"i\" from=\"1\" to=\"900000\"><include file=\"${i}.xml\"/></for>");
    }),
    case(
        "a broken file included in a for",
        &["a.xml:", "not XML", "world.xml:2:", "a.xml`: it has errors"],
        |w| {
            world(w, "<for var=\"i\" from=\"1\" to=\"900000\"><include file=\"a.xml\"/></for>");
            w.write("a.xml", "<block>\n<mass");
        },
    ),
    case("an include with an argument in a for", &["world.xml:2:", "--max-elements"], |w| {
        let tag = "<include file=\"a.xml\" x=\"$f{sin(i)*cos(i)}\"/>";
        world(w, &format!("<for var=\"i\" from=\"1\" to=\"900000\">{tag}</for>"));
        w.write("a.xml", "<block><zmax>${x}</zmax></block>");
    }),
    case("a variable in each of 300,000 rounds", &["world.xml:2:", "unknown element"], |w| {
        let tag = "<variable name=\"v${i}\" value=\"${i}\"/><zzz/>";
        world(w, &format!("<for var=\"i\" from=\"1\" to=\"300000\">{tag}</for>"));
    }),
    case(
        "a variable in each of 300,000 rounds within a vehicle",
        &["world.xml:2:", "has no pose"],
        |w| {
            let tag = "<variable name=\"v${i}\" value=\"${i}\"/>";
            let rounds = format!("<for var=\"i\" from=\"1\" to=\"300000\">{tag}</for>");
            world(w, &format!("<vehicle name=\"v\">{rounds}</vehicle>"));
        },
    ),
    case("100,000 joints of bodies that are not there", &["world.xml:2:", "unknown body"], |w| {
        let joint = "<joint type=\"rope\" body_a=\"b${i}\" body_b=\"none${i}\"/>";
        let block = "<block name=\"b${i}\"><init_pose>$f{2*i} 0 0</init_pose></block>";
        let rounds = format!("<for var=\"i\" from=\"1\" to=\"100000\">{block}{joint}</for>");
        world(w, &rounds);
    }),
    case(
        "100,000 blocks of classes that are not there",
        &["world.xml:2:", "there is no <block:class"],
        |w| {
            let class = "<block:class name=\"c${i}\"><mass>${i}</mass></block:class>";
            let block = "<block class=\"d${i}\"><init_pose>0 0 0</init_pose></block>";
            let rounds = format!("<for var=\"i\" from=\"1\" to=\"100000\">{class}{block}</for>");
            world(w, &rounds);
        },
    ),
    case("a hundred thousand open brackets", &["world.xml:2:", "too deeply"], |w| {
        world(w, &format!("<gravity>$f{{{}</gravity>", "(".repeat(100_000) + "}"))
    }),
    case("a tower of powers", &["world.xml:2:", "too deeply"], |w| {
        world(w, &format!("<gravity>$f{{2{}}}</gravity>", "^2".repeat(100_000)))
    }),
    case("a power beyond all numbers", &["world.xml:2:", "evaluates to inf"], |w| {
        world(w, "<gravity>$f{9^9^9^9^9}</gravity>")
    }),
    case("functions within functions", &["world.xml:2:", "too deeply"], |w| {
        let (open, close) = ("max(1,".repeat(50_000), ")".repeat(50_000));
        world(w, &format!("<gravity>$f{{{open}1{close}}}</gravity>"));
    }),
    case("a function of 50,000 values", &["world.xml:2:", "at most 1000 arguments"], |w| {
        world(w, &format!("<gravity>$f{{max({}1)}}</gravity>", "1,".repeat(50_000)))
    }),
    case("a sum of five million terms", &["world.xml:2:", "unknown name `x`"], |w| {
        world(w, &format!("<gravity>$f{{{}x}}</gravity>", "1+".repeat(5_000_000)))
    }),
    case("a variable that doubles 64 times", &["world.xml:2:", "grows without bound"], |w| {
        let double = |n| format!("<variable name=\"v{n}\" value=\"${{v{}}}${{v{0}}}\"/>", n - 1);
        let doubles: String = (1..=64).map(double).collect();
        let first = "<variable name=\"v0\" value=\"ab\"/>";
        world(w, &format!("{first}{doubles}<gravity>${{v64}}</gravity>"));
    }),
    case(
        "an argument that doubles through thirty files",
        &[".xml:1:", "grows without bound"],
        |w| {
            world(w, "<include file=\"0.xml\" a=\"ab\"/>");
            for index in 0..30 {
                let next = format!("<include file=\"{}.xml\" a=\"${{a}}${{a}}\"/>", index + 1);
                w.write(&format!("{index}.xml"), &next);
            }
            w.write("30.xml", "<gravity>${a}</gravity>");
        },
    ),
    case("a chain of half a million names", &["world.xml:2:", "grows without bound"], |w| {
        let tags = format!("<gravity>{}</gravity>", "${a}".repeat(500_000));
        world(w, &format!("<variable name=\"a\" value=\"1\"/>{tags}"));
    }),
    case("defaults within defaults", &["world.xml:2:", "without end"], |w| {
        let (open, close) = ("${x|".repeat(100_000), "}".repeat(100_000));
        world(w, &format!("<gravity>{open}1{close}</gravity>"));
    }),
    case("names that never close", &["world.xml:2:", "without a closing `}`"], |w| {
        world(w, &format!("<gravity>{}</gravity>", "${x|".repeat(1_000_000)))
    }),
    case("long values in a for", &["world.xml:2:", "exceed "], |w| {
        let long = format!("<variable name=\"a\" value=\"{}\"/>", "1".repeat(60_000));
        let tags = "<for var=\"i\" from=\"1\" to=\"300000\"><gui a=\"${a}\"/></for>";
        world(w, &format!("{long}{tags}"));
    }),
    case("a command of the shell", &["world.xml:2:", "--allow shell"], |w| {
        world(w, "<gravity>$(sleep 100; echo 9)</gravity>")
    }),
];
