"""Decisions: functions from values to values. Nothing here reads, asks git or writes."""
