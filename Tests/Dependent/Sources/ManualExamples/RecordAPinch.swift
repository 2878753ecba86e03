../../ ../ KymographTests / RecordAPinch.swift
