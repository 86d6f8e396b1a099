//! Routers, and programs that are none.

use std::io::Write;
use std::net::TcpListener;

use super::*;

fn settings(address: &str, router: RouterUse) -> Ros2Settings {
    Ros2Settings { address: Some(address.to_owned()), router, ..Ros2Settings::default() }
}

#[test]
fn the_first_process_is_the_router_and_the_second_one_connects_to_it() {
    let first = Link::open(&settings("tcp/127.0.0.1:0", RouterUse::Auto)).unwrap();
    assert!(first.is_router);
    assert!(!first.address.ends_with(":0"), "{}", first.address);
    let text = first.announcement(&settings(&first.address, RouterUse::Auto));
    assert!(text.contains("export RMW_IMPLEMENTATION=rmw_zenoh_cpp"), "{text}");
    assert!(text.contains(&format!("[\"{}\"]", first.address)), "{text}");
    let second = Link::open(&settings(&first.address, RouterUse::Auto)).unwrap();
    assert!(!second.is_router);
    assert_eq!(second.session.info().routers_zid().wait().count(), 1);
}

#[test]
fn a_router_for_other_machines_has_to_be_asked_for() {
    for (address, router) in [("tcp/0.0.0.0:0", RouterUse::Auto), ("tcp/[::]:0", RouterUse::Only)] {
        let closed = settings(address, router);
        let error = Link::open(&closed).err().unwrap();
        assert!(matches!(&error, Ros2Error::Open { .. }), "{error}");
    }
    let open = Ros2Settings { is_open: true, ..settings("tcp/0.0.0.0:0", RouterUse::Only) };
    assert!(Link::open(&open).unwrap().is_router);
    let closed = Link::open(&settings("tcp/127.0.0.1:0", RouterUse::Only)).unwrap();
    assert!(!closed.is_open());
}

#[test]
fn a_port_without_a_router_is_an_error_that_names_it() {
    let free = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = format!("tcp/{}", free.local_addr().unwrap());
    drop(free);
    let error = Link::open(&settings(&address, RouterUse::Never)).err().unwrap();
    assert!(matches!(&error, Ros2Error::NoRouter { .. }), "{error}");
    // a program that speaks something else, and one that says nothing
    for greeting in ["HTTP/1.1 400 Bad Request\r\n\r\n", ""] {
        let other = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = format!("tcp/{}", other.local_addr().unwrap());
        std::thread::spawn(move || {
            let mut kept = Vec::new();
            for mut stream in other.incoming().flatten() {
                if greeting.is_empty() {
                    kept.push(stream);
                } else {
                    let _ = stream.write_all(greeting.as_bytes());
                }
            }
        });
        let started = Instant::now();
        let error = Link::open(&settings(&address, RouterUse::Auto)).err().unwrap();
        assert!(matches!(&error, Ros2Error::Taken { .. }), "{error}");
        assert!(error.to_string().contains(&address), "{error}");
        assert!(started.elapsed() < Duration::from_secs(8));
    }
}
