//! Downloads that stop, that give up, and that fetch something else.

use std::io::{Read, Write};
use std::net::{SocketAddr, TcpListener};

use libc::{SIGINT, SIGTERM};

use super::{start, stop};
use crate::support::Workspace;
use crate::support::world::World;

/// Returns a world with a block whose model is at a server.
fn with_model(server: SocketAddr, model: &str) -> World {
    World::new().xml(&format!(
        "<block name=\"b\"><init_pose>0 0 0</init_pose><shape_from_visual/><visual>\
         <model_uri>http://{server}/{model}</model_uri></visual></block>"
    ))
}

/// Returns a server and its address.
fn server() -> (TcpListener, SocketAddr) {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = listener.local_addr().unwrap();
    (listener, address)
}

/// Returns the number of files that are being downloaded.
fn downloads(workspace: &Workspace) -> usize {
    std::fs::read_dir(workspace.path("cache/simhost/downloads")).unwrap().count()
}

/// Waited 60 s for the response. Now 0.02 s.
#[test]
fn a_download_stops() {
    let (listener, address) = server();
    let world = with_model(address, "shelf.dae");
    for (verb, signal) in [("run", SIGINT), ("check", SIGTERM)] {
        let workspace = world.workspace();
        let mut child =
            start(&workspace, &[verb, "world.xml", "--allow", "net", "--timeout", "3600"]);
        let (mut stream, _) = listener.accept().unwrap();
        assert!(stream.read(&mut [0; 64]).unwrap() > 0);
        stop(&mut child, signal);
        assert_eq!(downloads(&workspace), 0, "a partial file is left");
    }
}

/// Stayed in the cache, so that every later run failed in the same way.
#[test]
fn a_download_that_is_not_a_mesh_leaves_the_cache() {
    let (listener, address) = server();
    std::thread::spawn(move || {
        while let Ok((mut stream, _)) = listener.accept() {
            let _ = stream.read(&mut [0; 1024]);
            let page = "<html>sign in first</html>";
            let head = format!("HTTP/1.1 200 OK\r\nContent-Length: {}\r\n\r\n", page.len());
            let _ = stream.write_all((head + page).as_bytes());
        }
    });
    for model in ["shelf.dae", "all.zip/shelf.stl"] {
        let workspace = with_model(address, model).workspace();
        let outcome = workspace.run(&["check", "world.xml", "--allow", "net"]);
        assert_eq!(outcome.code, 12, "{}", outcome.stderr);
        assert!(outcome.stderr.contains("removed from the cache"), "{}", outcome.stderr);
        assert_eq!(downloads(&workspace), 0, "{model}");
    }
}

/// Waited 60 s for a server, twice.
#[test]
fn a_silent_server_is_asked_once_and_given_up() {
    let (_listener, address) = server();
    let workspace = with_model(address, "shelf.dae").workspace();
    let outcome = workspace.run(&["check", "world.xml", "--allow", "net", "--timeout", "0.5"]);
    assert_eq!(outcome.code, 12, "{}", outcome.stderr);
    for part in ["no response within 0.5 s", "raise --timeout"] {
        assert!(outcome.stderr.contains(part), "{}", outcome.stderr);
    }
    assert_eq!(outcome.stderr.matches("fetching http").count(), 1, "{}", outcome.stderr);
}
