//! Programs that explore one puzzle together, and the resources that they use.

use std::fs;
use std::net::TcpListener;
use std::path::Path;
use std::process::{Child, Command, Output, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

/// A configuration of processes and workers.
pub struct Fleet {
    /// Processes and workers; none for an ordinary run without sharing.
    shared: Option<(usize, usize)>,
    disk: bool,
}

/// The measurements of one exploration.
pub struct Run {
    pub seconds: f64,
    pub states: u64,
    /// The peak resident memory of all programs together, in bytes.
    pub resident: u64,
    /// The peak size of their files in bytes, sampled.
    pub files: u64,
    /// The bytes sent over loopback, including protocol overhead.
    pub sent: u64,
    /// The text that each of them printed.
    pub answer: String,
}

impl Fleet {
    pub const fn alone(disk: bool) -> Fleet {
        Fleet { shared: None, disk }
    }

    pub const fn of(processes: usize, workers: usize, disk: bool) -> Fleet {
        Fleet { shared: Some((processes, workers)), disk }
    }

    /// Explores the puzzle of a file.
    pub fn explore(&self, file: &Path) -> Run {
        let folder = tempfile::tempdir().expect("a folder can be created");
        let (processes, workers) = self.shared.unwrap_or((1, 0));
        // The ports are free again when the programs bind them.
        let ports: Vec<TcpListener> =
            (0..processes).map(|_| TcpListener::bind("127.0.0.1:0").expect("a port is free")).collect();
        let hosts: String =
            ports.iter().map(|port| format!("{}\n", port.local_addr().expect("the listener has an address"))).collect();
        drop(ports);
        let list = folder.path().join("hosts.txt");
        fs::write(&list, hosts).expect("the hosts file can be written");
        let disk = folder.path().join("layers");
        let before = through_loopback();
        let started = Instant::now();
        let children: Vec<Child> = (0..processes)
            .map(|process| {
                let mut command = Command::new(env!("CARGO_BIN_EXE_engine"));
                command.arg("explore").arg(file).arg("--quiet").stdout(Stdio::piped()).stderr(Stdio::piped());
                if workers > 0 {
                    command.args(["--workers", &workers.to_string()]);
                }
                if processes > 1 {
                    command.arg("--hosts").arg(&list).args(["--process", &process.to_string()]);
                }
                if self.disk {
                    command.arg("--disk").arg(&disk);
                }
                command.spawn().expect("the program runs")
            })
            .collect();
        let (outputs, resident, files) = watched(children, &disk);
        let seconds = started.elapsed().as_secs_f64();
        for output in &outputs {
            assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
            assert_eq!(output.stdout, outputs[0].stdout, "all processes print the same");
        }
        let answer = String::from_utf8_lossy(&outputs[0].stdout).into_owned();
        let states = answer.lines().find_map(|line| line.strip_prefix("states")?.trim().parse().ok());
        Run {
            seconds,
            states: states.expect("the output contains the number of states"),
            resident,
            files,
            sent: through_loopback() - before,
            answer,
        }
    }
}

/// Waits for programs; returns their peak memory and the peak size of their files.
fn watched(mut children: Vec<Child>, disk: &Path) -> (Vec<Output>, u64, u64) {
    let mut peaks = vec![0; children.len()];
    let mut files = 0;
    while children.iter_mut().any(|child| child.try_wait().expect("the process can be waited for").is_none()) {
        for (child, peak) in children.iter().zip(&mut peaks) {
            let status = fs::read_to_string(format!("/proc/{}/status", child.id())).unwrap_or_default();
            let most = status.lines().find_map(|line| line.strip_prefix("VmHWM:")?.trim().strip_suffix(" kB"));
            *peak = most.and_then(|kib| kib.trim().parse::<u64>().ok()).map_or(*peak, |kib| kib << 10).max(*peak);
        }
        files = files.max(size(disk));
        sleep(Duration::from_millis(20));
    }
    let outputs = children.into_iter().map(|child| child.wait_with_output().expect("the process has ended")).collect();
    (outputs, peaks.iter().sum(), files)
}

/// Returns the bytes of all files below a folder.
fn size(folder: &Path) -> u64 {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    let sizes = entries.map(|entry| match entry.metadata() {
        Ok(data) if data.is_dir() => size(&entry.path()),
        Ok(data) => data.len(),
        Err(_) => 0,
    });
    sizes.sum()
}

/// Returns the bytes sent over loopback since the machine started; 0 if the system does not report them.
fn through_loopback() -> u64 {
    let report = fs::read_to_string("/proc/net/dev").unwrap_or_default();
    let line = report.lines().find_map(|line| line.trim().strip_prefix("lo:"));
    line.and_then(|numbers| numbers.split_whitespace().nth(8)?.parse().ok()).unwrap_or(0)
}

/// Returns the estimates of `engine plan`: seconds to expand and to send, bytes of all files, all bytes
/// sent.
pub fn plan(file: &Path, hosts: u32, workers: u32) -> [f64; 4] {
    let mut command = Command::new(env!("CARGO_BIN_EXE_engine"));
    command.arg("plan").arg(file).args(["--format", "json", "--quiet"]);
    command.args(["--machines", &hosts.to_string(), "--workers", &workers.to_string()]);
    let output = command.output().expect("the program runs");
    let report: serde_json::Value = serde_json::from_slice(&output.stdout).expect("it prints JSON");
    let [compute, network, disk, sent] =
        ["compute_seconds", "network_seconds", "disk_bytes_per_host", "network_bytes_per_host"]
            .map(|name| report["estimated"][name].as_f64().expect("the field is a number"));
    [compute, network, disk * f64::from(hosts), sent * f64::from(hosts)]
}
