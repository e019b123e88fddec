"""Where data come from: folders, mirrors, official addresses, archives and checksums."""
