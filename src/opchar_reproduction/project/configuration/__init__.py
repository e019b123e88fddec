"""The configuration: read, validated and cross-checked."""
