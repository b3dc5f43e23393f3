//! The hosts file: a line for each process, in order, with its listening address.

use crate::diagnostic::{Diagnostic, Report};
use std::fmt;
use std::net::{IpAddr, SocketAddr, ToSocketAddrs};
use std::ops::Range;

/// The maximum number of processes: each has a connection to every other.
const MAX_PROCESSES: usize = 256;

/// The listening address of a process.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Host {
    /// The address as written in the file.
    pub name: String,
    /// The resolved address.
    pub address: SocketAddr,
}

impl fmt::Display for Host {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.name)
    }
}

/// Parses a hosts file: `name:port` on each line; `#` begins a comment. Names are resolved.
///
/// Addresses neither of this machine nor of a private network (RFC 1918, RFC 4193, link-local) are refused unless
/// `network` allows them, since the traffic is not encrypted. Addresses of other machines need a secret: otherwise anyone
/// who can reach them could take part.
///
/// # Errors
/// An address that is invalid, cannot be resolved, is refused or occurs twice, each with its line; or a file without
/// addresses.
pub fn read_hosts(file: &str, text: &str, network: bool, has_secret: bool) -> Result<Vec<Host>, Report> {
    let mut hosts: Vec<Host> = Vec::new();
    let mut wrong = Vec::new();
    let mut begin = 0;
    for line in text.split_inclusive('\n') {
        let content = line.split('#').next().unwrap_or_default();
        let name = content.trim();
        let at = begin + (content.len() - content.trim_start().len());
        let place = at..at + name.len();
        begin += line.len();
        if name.is_empty() {
            continue;
        }
        match host(name, network, has_secret, place.clone()) {
            Ok(host) if hosts.iter().any(|other| other.address == host.address) => {
                let twice = Diagnostic::at(place, format!("the address `{name}` appears more than once"));
                wrong.push(twice.help("give each process its own port and its own line"));
            }
            Ok(host) => hosts.push(host),
            Err(diagnostic) => wrong.push(diagnostic),
        }
    }
    if wrong.is_empty() && hosts.is_empty() {
        let none = Diagnostic::whole("no process is listed");
        wrong.push(none.help("add a line for each process, such as `10.0.0.5:7000`, the first for `--process 0`"));
    }
    if hosts.len() > MAX_PROCESSES {
        wrong.push(Diagnostic::whole(format!("too many processes: {}, at most {MAX_PROCESSES}", hosts.len())));
    }
    if wrong.is_empty() { Ok(hosts) } else { Err(Report::new(file, text, wrong)) }
}

fn host(name: &str, network: bool, has_secret: bool, place: Range<usize>) -> Result<Host, Diagnostic> {
    let wrong = |message: String, help: &str| Diagnostic::at(place.clone(), message).help(help);
    let port = name.rsplit_once(':').and_then(|(_, port)| port.parse::<u16>().ok()).filter(|&port| port > 0);
    if port.is_none() {
        let help = "expected an address and a port, such as `10.0.0.5:7000` or `[::1]:7000`";
        return Err(wrong(format!("missing port in `{name}`"), help));
    }
    let found = name.to_socket_addrs().map_err(|error| {
        wrong(format!("`{name}` cannot be found: {error}"), "use its IP address, such as `10.0.0.5:7000`")
    })?;
    let found: Vec<SocketAddr> = found.collect();
    // If a name has several addresses, all processes must choose the same one.
    let address = found.iter().copied().min_by_key(|address| (address.is_ipv6(), *address));
    let Some(address) = address else {
        return Err(wrong(format!("`{name}` has no address"), "use its IP address, such as `10.0.0.5:7000`"));
    };
    if address.ip().is_unspecified() || address.ip().is_multicast() {
        return Err(wrong(
            format!("`{name}` is not the address of a single machine"),
            "use the address at which the other processes reach that machine",
        ));
    }
    if !network && !is_local(address.ip()) {
        return Err(wrong(
            format!("`{name}` is neither on this machine nor in a private network"),
            "the traffic is not encrypted: use a tunnel (see docs/exploring.md), or add `--allow-network`",
        ));
    }
    if !has_secret && !address.ip().to_canonical().is_loopback() {
        return Err(wrong(
            format!("`{name}` is not an address of this machine alone, and needs a `--secret`"),
            "write 16 random bytes or more to a file, such as by `openssl rand -hex 32`, copy it to every machine, and \
             name it by `--secret FILE` in every command",
        ));
    }
    Ok(Host { name: name.to_owned(), address })
}

/// Returns whether an address is of this machine or of a network that internet routers do not forward to.
fn is_local(address: IpAddr) -> bool {
    match address {
        IpAddr::V4(address) => address.is_loopback() || address.is_private() || address.is_link_local(),
        IpAddr::V6(address) => {
            let mapped = address.to_ipv4_mapped().is_some_and(|address| is_local(address.into()));
            mapped || address.is_loopback() || address.is_unique_local() || address.is_unicast_link_local()
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str, network: bool) -> Result<Vec<String>, String> {
        let hosts = read_hosts("hosts.txt", text, network, true).map_err(|report| report.render(false))?;
        Ok(hosts.iter().map(|host| host.address.to_string()).collect())
    }

    #[test]
    fn each_line_is_a_process_and_comments_are_ignored() {
        let hosts = read("# ours\n\n 127.0.0.1:7000 # here\r\n[::1]:7001\n10.1.2.3:80", false);
        assert_eq!(hosts.as_deref(), Ok(&["127.0.0.1:7000", "[::1]:7001", "10.1.2.3:80"].map(String::from)[..]));
    }

    #[test]
    fn a_public_address_needs_permission() {
        for address in ["8.8.8.8:70", "100.64.0.1:70", "[2001:db8::1]:70", "172.32.0.1:70", "[::ffff:8.8.8.8]:70"] {
            let error = read(address, false).expect_err("the address is public");
            assert!(error.contains("--allow-network") && error.contains("hosts.txt:1:1"), "{error}");
            assert!(read(address, true).is_ok());
        }
        for address in ["172.31.0.1:70", "192.168.0.1:70", "169.254.1.1:70", "[fd00::1]:70", "[fe80::1]:70"] {
            assert!(read(address, false).is_ok(), "{address}");
        }
    }

    #[test]
    fn an_address_of_another_machine_needs_a_secret() {
        let alone = "127.0.0.1:1\n[::1]:2\n[::ffff:127.0.0.1]:3\n";
        assert!(read_hosts("hosts.txt", alone, false, false).is_ok());
        for address in ["10.0.0.5:70", "169.254.1.1:70", "[fd00::1]:70", "8.8.8.8:70"] {
            let text = format!("127.0.0.1:1\n{address}\n");
            let error = read_hosts("hosts.txt", &text, true, false).expect_err("no secret").render(false);
            assert!(error.contains("hosts.txt:2:1") && error.contains("name it by `--secret FILE`"), "{error}");
        }
    }

    #[test]
    fn invalid_addresses_are_reported_with_their_lines() {
        let wrong = [
            ("127.0.0.1:1\nlocalhost\n", "2:1"),
            ("127.0.0.1:0\n", "1:1"),
            ("  127.0.0.1:99999", "1:3"),
            ("0.0.0.0:7000", "1:1"),
            ("127.0.0.1:1\n\n  127.0.0.1:1", "3:3"),
            ("#nothing\n", "hosts.txt"),
        ];
        for (text, place) in wrong {
            let error = read(text, true).expect_err(text);
            assert!(error.contains(place), "{text}: {error}");
        }
        let many: String = (1..=257).map(|port| format!("127.0.0.1:{port}\n")).collect();
        assert!(read(&many, false).is_err_and(|error| error.contains("256")));
    }
}
