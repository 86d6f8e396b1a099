//! Loading a written-out crowd, against a bare pass over its events.
#![allow(missing_docs)]

use criterion::{Criterion, criterion_group, criterion_main};
use quick_xml::events::Event;
use simhost_benches as _;
use simhost_registry::{Catalogue, Options};
use simhost_world::{LoadOptions, load};

/// Vehicles of ten classes, each with its own place, velocity and friction.
fn crowd(count: usize) -> String {
    let mut text = String::from("<mvsim_world version=\"1.0\">\n");
    for class in 0..10 {
        text += &format!(
            "<vehicle:class name=\"c{class}\"><dynamics class=\"differential\">\
             <l_wheel pos=\"0 0.{class}1\" mass=\"2\"/><r_wheel pos=\"0 -0.2\" mass=\"2\"/>\
             <chassis mass=\"1{class}\" zmin=\"0.1\" zmax=\"0.5\"><shape><pt>-0.2 -0.2</pt>\
             <pt>0.2 -0.2</pt><pt>0.2 0.2</pt><pt>-0.2 0.2</pt></shape></chassis>\
             <controller class=\"twist_pid\"><KP>5</KP><KI>1</KI></controller></dynamics>\
             <friction class=\"default\"><mu>0.7</mu></friction>\
             <sensor class=\"laser\" name=\"scan\"><nrays>91</nrays></sensor></vehicle:class>\n"
        );
    }
    for number in 0..count {
        let (class, x, y) = (number % 10, number % 100, number / 100);
        text += &format!(
            "<vehicle name=\"robot{number}\" class=\"c{class}\">\n  <init_pose>{x} {y} 45</init_pose>\n  \
             <init_vel>0.5 0 10</init_vel>\n  <friction><mu>0.{}</mu></friction>\n</vehicle>\n",
            number % 9 + 1
        );
    }
    text + "</mvsim_world>\n"
}

fn events(text: &str) -> usize {
    let mut reader = quick_xml::Reader::from_str(text);
    let mut count = 0;
    while !matches!(reader.read_event().expect("the crowd is well formed"), Event::Eof) {
        count += 1;
    }
    count
}

fn loading(criterion: &mut Criterion) {
    let catalogue = Catalogue::collect(Options::default()).expect("nothing to scan");
    for count in [1_000, 10_000] {
        let text = crowd(count);
        let name = format!("simhost-bench-{}-{count}.world.xml", std::process::id());
        let path = std::env::temp_dir().join(name);
        std::fs::write(&path, &text).expect("the temporary directory takes a file");
        let mut group = criterion.benchmark_group(format!("crowd of {count}"));
        group.sample_size(20);
        group.bench_function("events", |bencher| bencher.iter(|| events(&text)));
        group.bench_function("load", |bencher| {
            bencher.iter(|| {
                load(&path, &LoadOptions::default(), &catalogue).expect("the crowd is right")
            });
        });
        group.finish();
        let _ = std::fs::remove_file(&path);
    }
}

criterion_group!(benches, loading);
criterion_main!(benches);
