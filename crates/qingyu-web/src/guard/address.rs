//! Validation of an IP address.

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};

/// IPv4 networks outside the open web: address, and prefix bits.
const BLOCKED_V4: [([u8; 4], u32); 15] = [
    ([0, 0, 0, 0], 8),       // this network
    ([10, 0, 0, 0], 8),      // private
    ([100, 64, 0, 0], 10),   // shared by customers of one provider
    ([127, 0, 0, 0], 8),     // loopback
    ([169, 254, 0, 0], 16),  // link-local, with the metadata of clouds
    ([172, 16, 0, 0], 12),   // private
    ([192, 0, 0, 0], 24),    // protocol assignments
    ([192, 0, 2, 0], 24),    // documentation
    ([192, 88, 99, 0], 24),  // relays of 6to4
    ([192, 168, 0, 0], 16),  // private
    ([198, 18, 0, 0], 15),   // benchmarks
    ([198, 51, 100, 0], 24), // documentation
    ([203, 0, 113, 0], 24),  // documentation
    ([224, 0, 0, 0], 4),     // multicast
    ([240, 0, 0, 0], 4),     // reserved, and broadcast
];

/// IPv6 networks within `2000::/3` outside the open web. Everything outside `2000::/3` is refused: loopback, unique
/// local, link-local, multicast, and IPv4 in its mapped, compatible and NAT64 forms.
const BLOCKED_V6: [(Ipv6Addr, u32); 4] = [
    (Ipv6Addr::new(0x2001, 0, 0, 0, 0, 0, 0, 0), 23), // protocol assignments, Teredo
    (Ipv6Addr::new(0x2001, 0xdb8, 0, 0, 0, 0, 0, 0), 32), // documentation
    (Ipv6Addr::new(0x2002, 0, 0, 0, 0, 0, 0, 0), 16), // 6to4
    (Ipv6Addr::new(0x3fff, 0, 0, 0, 0, 0, 0, 0), 20), // documentation
];

/// Returns whether `address` is a host on the open web: global and unicast, without an embedded address.
pub(crate) fn is_global(address: IpAddr) -> bool {
    match address {
        IpAddr::V4(address) => {
            let bits = address.to_bits();
            !BLOCKED_V4.iter().any(|(network, prefix)| {
                let network = Ipv4Addr::from(*network).to_bits();
                (bits ^ network) >> (32 - prefix) == 0
            })
        }
        IpAddr::V6(address) => {
            let bits = address.to_bits();
            let is_within = |network: Ipv6Addr, prefix: u32| (bits ^ network.to_bits()) >> (128 - prefix) == 0;
            is_within(Ipv6Addr::new(0x2000, 0, 0, 0, 0, 0, 0, 0), 3)
                && !BLOCKED_V6.iter().any(|(network, prefix)| is_within(*network, *prefix))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn networks_end_where_they_end() {
        // Each row: the last address before a blocked network, its first, its last, and the first after.
        let rows = [
            ["", "0.0.0.0", "0.255.255.255", "1.0.0.0"],
            ["9.255.255.255", "10.0.0.0", "10.255.255.255", "11.0.0.0"],
            ["100.63.255.255", "100.64.0.0", "100.127.255.255", "100.128.0.0"],
            ["126.255.255.255", "127.0.0.0", "127.255.255.255", "128.0.0.0"],
            ["169.253.255.255", "169.254.0.0", "169.254.255.255", "169.255.0.0"],
            ["172.15.255.255", "172.16.0.0", "172.31.255.255", "172.32.0.0"],
            ["191.255.255.255", "192.0.0.0", "192.0.0.255", "192.0.1.0"],
            ["192.0.1.255", "192.0.2.0", "192.0.2.255", "192.0.3.0"],
            ["192.88.98.255", "192.88.99.0", "192.88.99.255", "192.88.100.0"],
            ["192.167.255.255", "192.168.0.0", "192.168.255.255", "192.169.0.0"],
            ["198.17.255.255", "198.18.0.0", "198.19.255.255", "198.20.0.0"],
            ["198.51.99.255", "198.51.100.0", "198.51.100.255", "198.51.101.0"],
            ["203.0.112.255", "203.0.113.0", "203.0.113.255", "203.0.114.0"],
            ["223.255.255.255", "224.0.0.0", "255.255.255.255", ""],
            ["", "::", "1fff:ffff::", "2000::"],
            ["2000:ffff::", "2001::", "2001:1ff:ffff::", "2001:200::"],
            ["2001:db7:ffff::", "2001:db8::", "2001:db8:ffff::", "2001:db9::"],
            ["2001:ffff::", "2002::", "2002:ffff::", "2003::"],
            ["3ffe:ffff::", "3fff::", "3fff:fff:ffff::", "3fff:1000::"],
            ["3fff:ffff::", "4000::", "ffff:ffff::", ""],
        ];
        for row in rows {
            for (address, expected) in row.into_iter().zip([true, false, false, true]).filter(|(it, _)| !it.is_empty())
            {
                assert_eq!(is_global(address.parse().unwrap()), expected, "{address}");
            }
        }
    }
}
