../../ ../ KymographTests / RecordByName.swift
