"""What has to be made, and how: configuration, plan, jobs, running, code hashes. No numerics."""
