../../ ../ KymographTests / ReadARecording.swift
