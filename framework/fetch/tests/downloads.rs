//! Downloads from a server on this machine, mirrors, and archives.
#![allow(clippy::unwrap_used)]

use std::fs;
use std::io::{Cursor, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use simhost_fetch::{FetchError, FetchOptions, Fetcher, Stage};
use tempfile::TempDir;
use zip::write::{SimpleFileOptions, ZipWriter};

/// A server that answers each request for a path with the same bytes until it is dropped.
struct Server {
    address: String,
    requests: Arc<AtomicUsize>,
    running: Arc<()>,
}

impl Server {
    fn new(answers: Vec<(&'static str, Vec<u8>)>) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = format!("http://{}", listener.local_addr().unwrap());
        listener.set_nonblocking(true).unwrap();
        let (requests, running) = (Arc::new(AtomicUsize::new(0)), Arc::new(()));
        let (count, alive) = (requests.clone(), Arc::downgrade(&running));
        std::thread::spawn(move || {
            // end the thread even if the test hangs
            for _ in 0..6000 {
                if alive.strong_count() == 0 {
                    return;
                }
                match listener.accept() {
                    Ok((stream, _)) => {
                        count.fetch_add(1, Ordering::SeqCst);
                        answer(stream, &answers);
                    }
                    Err(_) => std::thread::sleep(Duration::from_millis(10)),
                }
            }
        });
        Self { address, requests, running }
    }

    fn url(&self, path: &str) -> String {
        assert_eq!(Arc::strong_count(&self.running), 1);
        format!("{}{path}", self.address)
    }

    fn requests(&self) -> usize {
        self.requests.load(Ordering::SeqCst)
    }
}

fn answer(mut stream: TcpStream, answers: &[(&str, Vec<u8>)]) {
    stream.set_nonblocking(false).unwrap();
    stream.set_read_timeout(Some(Duration::from_secs(5))).unwrap();
    let mut request = Vec::new();
    let mut byte = [0];
    while !request.ends_with(b"\r\n\r\n") && stream.read(&mut byte).is_ok_and(|count| count > 0) {
        request.push(byte[0]);
    }
    let request = String::from_utf8_lossy(&request).into_owned();
    let path = request.split(' ').nth(1).unwrap_or_default();
    let found = answers.iter().find(|(known, _)| *known == path).map(|(_, bytes)| bytes.clone());
    let bytes =
        found.unwrap_or_else(|| b"HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\n\r\n".to_vec());
    let _ = stream.write_all(&bytes);
}

/// A response that announces `length` bytes.
fn claiming(length: usize, content: &[u8]) -> Vec<u8> {
    let head = format!("HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: {length}\r\n\r\n");
    [head.as_bytes(), content].concat()
}

fn whole(content: &[u8]) -> Vec<u8> {
    claiming(content.len(), content)
}

fn zip(members: &[(&str, &[u8])]) -> Vec<u8> {
    let mut writer = ZipWriter::new(Cursor::new(Vec::new()));
    for (name, content) in members {
        writer.start_file(*name, SimpleFileOptions::default()).unwrap();
        writer.write_all(content).unwrap();
    }
    writer.finish().unwrap().into_inner()
}

fn fetcher(cache: &TempDir, allow_net: bool) -> Fetcher {
    let cache_dir = Some(cache.path().to_owned());
    Fetcher::new(FetchOptions { allow_net, cache_dir, max_bytes: 1 << 20, ..Default::default() })
}

fn folder() -> TempDir {
    tempfile::tempdir().unwrap()
}

/// Returns every file below a directory.
fn files(folder: &Path) -> Vec<PathBuf> {
    let Ok(entries) = fs::read_dir(folder) else { return Vec::new() };
    let paths = entries.map(|entry| entry.unwrap().path());
    paths.flat_map(|path| if path.is_dir() { files(&path) } else { vec![path] }).collect()
}

#[test]
fn nothing_is_downloaded_without_permission() {
    let (server, cache) = (Server::new(vec![("/a.dae", whole(b"mesh"))]), folder());
    let error = fetcher(&cache, false).resolve(&server.url("/a.dae"), Path::new("")).unwrap_err();
    assert!(matches!(error, FetchError::NotAllowed { .. }));
    let text = error.to_string();
    assert!(text.contains("--allow net") && text.contains("--mirror"), "{text}");
    assert_eq!((server.requests(), files(cache.path()).len()), (0, 0));
}

#[test]
fn a_download_is_kept_and_used_without_the_server() {
    let (server, cache) = (Server::new(vec![("/a.dae", whole(b"mesh"))]), folder());
    let url = server.url("/a.dae");
    let path = fetcher(&cache, true).resolve(&url, Path::new("")).unwrap();
    assert_eq!(fs::read(&path).unwrap(), b"mesh");
    assert_eq!(path.extension().unwrap(), "dae");
    // the file and its checksum, nothing else
    assert_eq!(files(cache.path()).len(), 2);
    drop(server);
    assert_eq!(fetcher(&cache, true).resolve(&url, Path::new("")).unwrap(), path);
}

#[test]
fn a_damaged_copy_is_downloaded_again() {
    let (server, cache) = (Server::new(vec![("/a.dae", whole(b"mesh"))]), folder());
    let url = server.url("/a.dae");
    let path = fetcher(&cache, true).resolve(&url, Path::new("")).unwrap();
    fs::write(&path, b"").unwrap();
    assert_eq!(fetcher(&cache, true).resolve(&url, Path::new("")).unwrap(), path);
    assert_eq!((fs::read(&path).unwrap(), server.requests()), (b"mesh".to_vec(), 2));
}

#[test]
fn failures_leave_nothing_behind() {
    let server = Server::new(vec![
        ("/half.dae", claiming(1000, b"half")),
        ("/empty.dae", whole(b"")),
        ("/large.dae", claiming(2 << 20, b"")),
        ("/nonsense.dae", b"what?\r\n\r\n".to_vec()),
        ("/endless.dae", [b"HTTP/1.0 200 OK\r\n\r\n".to_vec(), vec![0; 2 << 20]].concat()),
    ]);
    let cache = folder();
    let fetch = |path: &str| fetcher(&cache, true).resolve(&server.url(path), Path::new(""));
    assert!(matches!(fetch("/none.dae"), Err(FetchError::Status { status: 404, .. })));
    assert!(matches!(fetch("/half.dae"), Err(FetchError::Download { .. })));
    assert!(matches!(fetch("/empty.dae"), Err(FetchError::Download { .. })));
    assert!(matches!(fetch("/large.dae"), Err(FetchError::TooLarge { .. })));
    assert!(matches!(fetch("/nonsense.dae"), Err(FetchError::Download { .. })));
    assert!(matches!(fetch("/endless.dae"), Err(FetchError::TooLarge { .. })));
    assert_eq!(files(cache.path()), Vec::<PathBuf>::new());
    // failures are not remembered either
    let before = server.requests();
    assert!(fetch("/none.dae").is_err());
    assert_eq!(server.requests(), before + 1);
}

#[test]
fn an_unreachable_server_is_reported() {
    let cache = folder();
    let address = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap();
    let error = fetcher(&cache, true).resolve(&format!("http://{address}/a"), Path::new(""));
    assert!(matches!(error, Err(FetchError::Download { .. })));
}

#[cfg(not(feature = "https"))]
#[test]
fn https_needs_its_feature() {
    let cache = folder();
    let error = fetcher(&cache, true).resolve("https://127.0.0.1:1/a", Path::new("")).unwrap_err();
    assert!(matches!(error, FetchError::NotBuiltIn { feature: "https", .. }), "{error}");
}

#[cfg(feature = "https")]
#[test]
fn https_fails_with_a_server_that_lacks_it() {
    let (server, cache) = (Server::new(vec![]), folder());
    let url = server.url("/a").replace("http:", "https:");
    let error = fetcher(&cache, true).resolve(&url, Path::new("")).unwrap_err();
    assert!(matches!(error, FetchError::Download { .. }), "{error}");
}

#[test]
fn progress_is_reported_to_the_end() {
    let content = vec![7; 300_000];
    let (server, cache) = (Server::new(vec![("/a", whole(&content))]), folder());
    let seen = Arc::new(Mutex::new(Vec::new()));
    let record = seen.clone();
    let fetcher = Fetcher::new(FetchOptions {
        allow_net: true,
        cache_dir: Some(cache.path().to_owned()),
        progress: Some(Box::new(move |progress| {
            record.lock().unwrap().push((progress.stage, progress.received, progress.total));
        })),
        ..Default::default()
    });
    fetcher.resolve(&server.url("/a"), Path::new("")).unwrap();
    let seen = seen.lock().unwrap();
    assert!(seen.len() > 2 && seen.is_sorted());
    assert_eq!(seen.first(), Some(&(Stage::Connecting, 0, None)));
    assert_eq!(seen.last(), Some(&(Stage::Complete, 300_000, Some(300_000))));
}

#[test]
fn a_mirror_needs_no_permission() {
    let (mirror, cache) = (folder(), folder());
    fs::write(mirror.path().join("a.dae"), b"mirrored").unwrap();
    fs::write(mirror.path().join("all.zip"), zip(&[("b/c.dae", b"member")])).unwrap();
    let fetcher = Fetcher::new(FetchOptions {
        mirrors: vec![("https://example.org/models/".to_owned(), mirror.path().to_owned())],
        cache_dir: Some(cache.path().to_owned()),
        ..Default::default()
    });
    let read = |uri: &str| fetcher.resolve(uri, Path::new("")).map(|path| fs::read(path).unwrap());
    assert_eq!(read("https://example.org/models/a.dae").unwrap(), b"mirrored");
    assert_eq!(read("https://example.org/models/all.zip/b/c.dae").unwrap(), b"member");
    let missing = read("https://example.org/models/b.dae").unwrap_err();
    assert!(matches!(missing, FetchError::NotInMirror { .. }), "{missing}");
    assert!(matches!(read("https://example.org/b.dae"), Err(FetchError::NotAllowed { .. })));
    assert!(read("https://example.org/models/../a.dae").is_err());
}

#[test]
fn archives_are_unpacked_as_a_whole() {
    let archive = zip(&[("b/c.gltf", b"scene"), ("b/c.bin", b"numbers")]);
    let (server, cache) = (Server::new(vec![("/all.zip", whole(&archive))]), folder());
    let fetch = |path: &str| fetcher(&cache, true).resolve(&server.url(path), Path::new(""));
    let path = fetch("/all.zip/b/c.gltf").unwrap();
    assert_eq!(fs::read(&path).unwrap(), b"scene");
    assert_eq!(fs::read(path.with_extension("bin")).unwrap(), b"numbers");
    assert_eq!(server.requests(), 1);
    // unpacked again when it was damaged
    fs::write(&path, b"other").unwrap();
    assert_eq!(fs::read(fetch("/all.zip/b/c.gltf").unwrap()).unwrap(), b"scene");
    let error = fetch("/all.zip/d.gltf").unwrap_err().to_string();
    assert!(error.contains("no member `d.gltf`; found b/c.gltf"), "{error}");
    assert!(fetch("/all.zip/../b/c.gltf").is_err());
    assert!(files(cache.path()).iter().all(|path| !path.to_string_lossy().contains("temporary")));
}

#[test]
fn local_files_and_archives() {
    let (here, cache) = (folder(), folder());
    fs::write(here.path().join("a.dae"), b"mesh").unwrap();
    fs::write(here.path().join("all.zip"), zip(&[("c.dae", b"member")])).unwrap();
    let fetcher = fetcher(&cache, false);
    let read = |uri: &str| fetcher.resolve(uri, here.path()).map(|path| fs::read(path).unwrap());
    assert_eq!(read("a.dae").unwrap(), b"mesh");
    assert_eq!(read("file://a.dae").unwrap(), b"mesh");
    assert_eq!(read("all.zip/c.dae").unwrap(), b"member");
    assert!(matches!(read("none.dae"), Err(FetchError::NotFound { .. })));
    assert!(matches!(read("none.zip/c.dae"), Err(FetchError::NotFound { .. })));
}

#[test]
fn malicious_archives_are_rejected() {
    let (here, cache) = (folder(), folder());
    let try_archive = |bytes: Vec<u8>| {
        fs::write(here.path().join("a.zip"), bytes).unwrap();
        fetcher(&cache, false).resolve("a.zip/c.dae", here.path())
    };
    for evil in ["../evil.dae", "/tmp/evil.dae", "b/../../evil.dae", "..\\evil.dae"] {
        let error = try_archive(zip(&[("c.dae", b"x"), (evil, b"y")])).unwrap_err();
        assert!(matches!(error, FetchError::Archive { .. }), "{evil}: {error}");
    }
    // 8 MiB of zeros in a few kB
    let error = try_archive(zip(&[("c.dae", &vec![0; 8 << 20])])).unwrap_err();
    assert!(matches!(error, FetchError::TooLarge { .. }), "{error}");
    let whole = zip(&[("c.dae", b"some content that is stored")]);
    for length in [0, 10, whole.len() / 2, whole.len() - 1] {
        assert!(try_archive(whole[..length].to_vec()).is_err(), "{length}");
    }
    let mut wrong = whole.clone();
    let content = wrong.windows(4).position(|four| four == b"some").unwrap_or(40);
    wrong[content] ^= 1;
    assert!(try_archive(wrong).is_err());
    // nothing was unpacked
    assert_eq!(files(cache.path()), Vec::<PathBuf>::new());
}

#[test]
fn several_at_once_do_not_disturb_each_other() {
    let archive = zip(&[("c.dae", &vec![1; 100_000])]);
    let (server, cache) = (Server::new(vec![("/all.zip", whole(&archive))]), folder());
    let url = server.url("/all.zip/c.dae");
    std::thread::scope(|scope| {
        for _ in 0..8 {
            scope.spawn(|| {
                let path = fetcher(&cache, true).resolve(&url, Path::new("")).unwrap();
                assert_eq!(fs::read(path).unwrap().len(), 100_000);
            });
        }
    });
    assert!(files(cache.path()).iter().all(|path| !path.to_string_lossy().contains("temporary")));
}

/// Accepts connections and never responds, or responds only with `start`.
fn silent(start: &'static [u8]) -> (String, TcpListener) {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let accepting = listener.try_clone().unwrap();
    std::thread::spawn(move || {
        let mut streams = Vec::new();
        while let Ok((mut stream, _)) = accepting.accept() {
            let _ = stream.read(&mut [0; 1024]);
            let _ = stream.write_all(start);
            streams.push(stream);
        }
    });
    (format!("http://{}", listener.local_addr().unwrap()), listener)
}

/// A server that stopped to respond used to block for 60 s, or for 900 s after its first bytes.
#[test]
fn a_silent_server_is_given_up_after_the_time_limit() {
    for (start, said) in [
        (&b""[..], "no response within 0.3 s"),
        (b"HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nhalf", "no data for 0.3 s"),
    ] {
        let ((address, _listener), cache) = (silent(start), folder());
        let fetcher = Fetcher::new(FetchOptions {
            allow_net: true,
            cache_dir: Some(cache.path().to_owned()),
            timeout: Duration::from_millis(300),
            ..Default::default()
        });
        let began = Instant::now();
        let error = fetcher.resolve(&format!("{address}/a"), Path::new("")).unwrap_err();
        assert!(began.elapsed() < Duration::from_secs(10), "{:?}", began.elapsed());
        let text = error.to_string();
        assert!(text.contains(said) && text.contains("--timeout"), "{text}");
        assert_eq!(files(cache.path()), Vec::<PathBuf>::new());
    }
}

#[test]
fn a_download_can_be_stopped() {
    let ((address, _listener), cache) = (silent(b""), folder());
    let stop = Arc::new(AtomicBool::new(false));
    let fetcher = Fetcher::new(FetchOptions {
        allow_net: true,
        cache_dir: Some(cache.path().to_owned()),
        stop: stop.clone(),
        ..Default::default()
    });
    let began = Instant::now();
    std::thread::scope(|scope| {
        let download = scope.spawn(|| fetcher.resolve(&format!("{address}/a"), Path::new("")));
        std::thread::sleep(Duration::from_millis(50));
        stop.store(true, Ordering::SeqCst);
        let error = download.join().unwrap().unwrap_err();
        assert!(matches!(error, FetchError::Stopped { .. }), "{error}");
    });
    assert!(began.elapsed() < Duration::from_secs(5), "{:?}", began.elapsed());
    assert_eq!(files(cache.path()), Vec::<PathBuf>::new());
}

/// A page of errors instead of a mesh used to stay in the cache until the user removed it.
#[test]
fn unusable_downloads_are_discarded() {
    let archive = zip(&[("c.dae", b"member"), ("d.dae", b"other")]);
    let server = Server::new(vec![
        ("/a.dae", whole(b"<html>")),
        ("/bad.zip", whole(b"<html>")),
        ("/all.zip", whole(&archive)),
    ]);
    let cache = folder();
    let fetcher = fetcher(&cache, true);
    let path = fetcher.resolve(&server.url("/a.dae"), Path::new("")).unwrap();
    assert!(fetcher.discard(&path));
    assert!(!fetcher.discard(&path), "it is gone");
    let error = fetcher.resolve(&server.url("/bad.zip/c.dae"), Path::new("")).unwrap_err();
    assert!(error.to_string().contains("removed from the cache"), "{error}");
    let path = fetcher.resolve(&server.url("/all.zip/c.dae"), Path::new("")).unwrap();
    assert!(fetcher.discard(&path));
    assert_eq!(files(cache.path()), Vec::<PathBuf>::new());
    assert_eq!(
        fs::read(fetcher.resolve(&server.url("/a.dae"), Path::new("")).unwrap()).unwrap(),
        b"<html>"
    );
    // local files and mirrors stay
    fs::write(cache.path().join("local.dae"), b"<html>").unwrap();
    let local = fetcher.resolve("local.dae", cache.path()).unwrap();
    assert!(!fetcher.discard(&local) && local.is_file());
}
